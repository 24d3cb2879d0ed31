import { isTest, type Rule } from './codebase.ts'

/** Who may look at the clock of the process, and why. */
const allowed: [path: RegExp, why: string][] = [
  [/^apps\/server\/src\/platform\/clock\.ts$/, 'until the database was reached there is no other'],
]

/** Every form of asking the clock of the process; jose asks it where it is given no time. */
const asked =
  /\bDate\.now\b|\bnew Date(?![\w(])|\bnew Date\(\s*\)|(?<![\w.]|new )Date\(\s*\)|\bTemporal\.Now\b|\.set(?:IssuedAt\(\s*\)|(?:ExpirationTime|NotBefore)\(\s*['"`])|\bperformance\.timeOrigin\b/g

export const oneClock: Rule = {
  name: 'times are of the database, durations of a monotonic clock',
  find: ({ sources }) =>
    sources
      .filter(({ path }) => path.startsWith('apps/server/src/') || path.startsWith('packages/'))
      .filter(({ path }) => !isTest(path) && !allowed.some(([place]) => place.test(path)))
      .flatMap(({ path, text }) =>
        [...text.matchAll(asked)].map(found => {
          const line = text.slice(0, found.index).split('\n').length
          return `${path}:${line} asks the clock of the process: what is written or compared with a row is databaseNow(), databaseTime() or databaseDate() (platform/clock.ts), a duration is measured with performance.now()`
        }),
      ),
}
