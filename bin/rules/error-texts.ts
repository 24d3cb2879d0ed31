import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Codebase, Rule } from './codebase.ts'

/** Users should not see codes: each has its text in Portuguese, English and Spanish. */
export const errorTexts: Rule = {
  name: 'every error and text is in three languages',
  async find(house) {
    return [...(await unsaid(house)), ...blanks(house)]
  },
}

async function unsaid({ root, sources }: Codebase): Promise<string[]> {
  const catalogue = join(root, 'packages/contract/src/errors.ts')
  // a large catalogue has its parts beside it: errors.SUBJECT.text.ts
  const files = sources.filter(({ path }) => /^apps\/web\/src\/.*\berrors(\.\w+)?\.text\.ts$/.test(path))
  const file = files.find(({ path }) => path.endsWith('/errors.text.ts'))
  if (!file || !existsSync(catalogue)) return []
  const { errorStatus }: { errorStatus: Record<string, number> } = await import(pathToFileURL(catalogue).href)
  const entries = triples(files.map(({ text }) => text).join('\n'))
  return Object.keys(errorStatus)
    .filter(code => !entries.has(code))
    .map(code => `${code} has no sentence: add ${code}: ['pt', 'en', 'es'] to ${file.path}`)
}

/** The keys that have three texts: key: ['pt', 'en', 'es'], in one line or several. */
function triples(text: string): Set<string> {
  const quoted = String.raw`(?:'(?:[^'\\]|\\.)+'|"(?:[^"\\]|\\.)+")`
  const entry = new RegExp(String.raw`(\w+):\s*\[\s*${quoted},\s*${quoted},\s*${quoted},?\s*\]`, 'g')
  return new Set([...text.matchAll(entry)].map(match => match[1]!))
}

/** The type asks for three texts; an empty one would pass it. */
function blanks({ sources }: Codebase): string[] {
  return sources
    .filter(({ path }) => /^apps\/web\/src\/.*\.text\.ts$/.test(path))
    .flatMap(({ path, text }) =>
      text
        .split('\n')
        .flatMap((line, at) =>
          /[[,]\s*(''|"")\s*[,\]]/.test(line) ? [`${path}:${at + 1} has an empty text`] : [],
        ),
    )
}
