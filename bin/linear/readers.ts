import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { here, readCodebase } from '../rules/codebase.ts'

/** Something that reads a text of others. */
export interface Reader {
  name: string
  /** The longest text that reaches it. */
  letters: number
  read(text: string): unknown
}

const MAX_LETTERS = 16_384

/**
 * Every exported function of the contract and of the server's rules, with the text as each of its arguments: itself, in a
 * list, and as every field of an object. What takes something else refuses it at once.
 */
export async function ruleReaders(): Promise<Reader[]> {
  const files = readCodebase(here).sources.filter(({ path }) =>
    /^packages\/contract\/src\/[^/]+(?<!\.test)\.ts$|^apps\/server\/src\/features\/.*\.rules\.ts$/.test(path),
  )
  const readers: Reader[] = []
  for (const { path } of files) {
    const exported: Record<string, unknown> = await import(pathToFileURL(join(here, path)).href)
    for (const [name, value] of Object.entries(exported)) {
      if (typeof value !== 'function' || SHORT[name]) continue
      for (let at = 0; at < Math.max(1, value.length); at++)
        for (const [form, give] of Object.entries(forms))
          if (!RECORDS[name]?.includes(at))
            readers.push({
              name: `${path} ${name}(${at}: ${form})`,
              letters: MAX_LETTERS,
              read: text =>
                value(
                  ...Array.from({ length: value.length }, (_, other) => (other === at ? give(text) : 'a')),
                ),
            })
    }
  }
  return readers
}

/** What reads only texts that are too short to matter, and how short. */
const SHORT: Record<string, string> = {
  scriptOf: 'numbers of commands, of at most 50 letters',
}

/** Arguments that are records: a text in their place would be spread, each letter a field. */
const RECORDS: Record<string, number[]> = {
  describeNotice: [1],
  noticeHtml: [1],
  chose: [0],
  withVariables: [0, 1],
  step: [1],
  scriptCommandOf: [0],
  campaignText: [1],
  filledText: [1],
  changedSince: [0],
  withoutWords: [0],
  codesShownTo: [2],
  hidden: [0],
  opened: [2],
  sealedCloud: [2],
  toLog: [0],
  fileToFetch: [0],
  filePart: [0],
  changesOf: [1],
  refuseForeignUser: [2],
}

const forms: Record<string, (text: string) => unknown> = {
  text: text => text,
  fields: text => fieldsOf(text),
  'list of fields': text => [fieldsOf(text)],
}

const fieldsOf = (text: string) =>
  new Proxy({}, { get: (_, name) => (typeof name === 'string' && name !== 'then' ? text : undefined) })
