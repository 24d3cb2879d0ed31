import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Rule, Source } from './codebase.ts'

const PAGE = 'docs/requirements.md'
const states = /^(holds|holds, by hand|untried|(partly|changed|later): .+)$/

/** A requirement that holds is named, by its id in brackets, at the end of the title of a test. */
export const proofsExist: Rule = {
  name: 'every requirement that holds is named by a test',
  find({ root, sources }) {
    const page = join(root, PAGE)
    return existsSync(page) ? unproved(readFileSync(page, 'utf8'), sources) : []
  },
}

/** A line for each row without a test, in no known state or there twice, and for each id in a title that no row has. */
export function unproved(page: string, sources: Source[]): string[] {
  const titled = titles(sources)
  const seen = new Set<string>()
  const rows = page.split('\n').flatMap((line, at) => {
    const [, id, , state = ''] = line.split('|').map(cell => cell.trim())
    if (!id || !/^[A-Z]+-\d+/.test(id)) return []
    const found = [
      ...(seen.has(id) ? ['is there twice'] : []),
      ...(states.test(state) ? [] : [`is in no known state: ${state}`]),
      ...(state === 'holds' && !titled.has(id) ? ['holds, but no title of a test names it'] : []),
    ]
    seen.add(id)
    return found.map(what => `${PAGE}:${at + 1} ${id} ${what}`)
  })
  const unknown = [...titled].filter(([id]) => !seen.has(id))
  return [...rows, ...unknown.map(([id, path]) => `${path} proves ${id}, which ${PAGE} does not have`)]
}

/** Ids, or ranges of them as the rows have them, in brackets at the end of a title. */
const IDS = / \[([A-Z]+-\d+(?:(?:, | … )[A-Z]+-\d+)*)\](?:'|"|`)\s*,/g

/** The ids in titles such as `test('a draft goes [TICKET-010, TICKET-011]', …)`, each with a file that names it. */
function titles(sources: Source[]): Map<string, string> {
  const found = new Map<string, string>()
  for (const { path, text } of sources) {
    if (!/\.(test|suite|e2e)\.tsx?$/.test(path)) continue
    for (const [, ids] of text.matchAll(IDS)) for (const id of ids!.split(', ')) found.set(id, path)
  }
  return found
}
