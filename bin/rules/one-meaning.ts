import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Rule, Source } from './codebase.ts'

const PAGE = 'docs/glossary.md'
/** `export const name`, `export async function name`, `export interface Name`: a value and a type of one file are one name. */
const EXPORTED = /^export (?:async )?(?:function\*?|const|let|class|interface|type) (\w+)/gm

/**
 * A name means one thing: two files that one file could import do not export the same one. Allowed are a feature's own
 * name, and what the glossary lists as shared.
 */
export const oneMeaning: Rule = {
  name: 'an exported name means one thing',
  find({ root, sources }) {
    const page = join(root, PAGE)
    const shared = new Set(existsSync(page) ? sharedNames(readFileSync(page, 'utf8')) : [])
    for (const { path } of sources) {
      const feature = /\/features\/(\w+)\//.exec(path)?.[1]
      if (feature) shared.add(feature)
    }
    return programs.flatMap(program =>
      twice(
        sources.filter(({ path }) => program.test(path)),
        shared,
      ),
    )
  },
}

/** What can import each other. The contract stands in both sides. */
const programs = [
  /^(packages\/contract|apps\/server)\//,
  /^(packages\/contract|apps\/web)\//,
  /^testing\/whatsapp-server\//,
  /^testing\/cloud-api-server\//,
  /^testing\/openai-server\//,
  /^testing\/asaas-server\//,
  /^e2e\//,
  /^bench\//,
  /^bin\//,
]

/** The names in the first column of the glossary's table of shared names. */
function sharedNames(page: string): string[] {
  const [, table = ''] = page.split('## Names that several files share')
  return [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name!)
}

function twice(sources: Source[], shared: Set<string>): string[] {
  const places = new Map<string, Set<string>>()
  for (const { path, text } of sources)
    for (const [, name = ''] of text.matchAll(EXPORTED))
      places.set(name, (places.get(name) ?? new Set()).add(path))
  return [...places]
    .filter(([name, paths]) => paths.size > 1 && !shared.has(name))
    .map(([name, paths]) => `${name} is exported by ${[...paths].join(' and ')}: name each after what it is`)
}
