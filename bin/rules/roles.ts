import { isTest, placeOf, type Rule, type Source } from './codebase.ts'

/** Roles of a feature's files on the server (CONTRIBUTING.md describes each). */
const roles = [
  'table',
  'queries',
  'actions',
  'events',
  'routes',
  'live',
  'reacts',
  'jobs',
  'worker',
  'rules',
  'text',
  'client',
  'export',
]

/** Features whose files are still named and split otherwise; a feature is removed from the list when it is done. */
const unfinished = new Set<string>([])

/** SUBJECT.ROLE.ts or FEATURE.ROLE.ts or FEATURE.SUBJECT.ROLE.ts, in the feature's folder or in a room of it. */
export const fileRoles: Rule = {
  name: 'a file of a feature has a known role',
  find: ({ sources }) =>
    onServer(sources)
      .filter(({ path }) => !roles.includes(roleOf(path)) && !path.endsWith('/index.ts'))
      .map(({ path }) => `${path}: its last word is none of ${roles.join(', ')}`),
}

const SQL = /(^|\/)platform\/postgres\/(sql|prepared)\.ts$/

/**
 * Statements and tables are found in one kind of file: who changes a table looks through `queries` and nothing else. The
 * index names tables whose rows have a lifetime.
 */
export const sqlInQueries: Rule = {
  name: 'SQL stands in queries',
  find: ({ sources }) =>
    onServer(sources)
      .filter(({ path }) => !['queries', 'table'].includes(roleOf(path)) && !path.endsWith('/index.ts'))
      .flatMap(({ path, needs }) => needs.map(target => ({ path, target })))
      .filter(({ target }) => SQL.test(target) || target.endsWith('.table.ts'))
      .map(({ path, target }) => `${path} imports ${target}: move the statement into a queries file`),
}

const onServer = (sources: Source[]) =>
  sources.filter(({ path }) => {
    const place = placeOf(path)
    return place?.side === 'server' && !isTest(path) && !unfinished.has(place.feature)
  })

const roleOf = (path: string) => path.split('/').at(-1)!.split('.').at(-2)!
