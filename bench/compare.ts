import { JOINED, POSTED } from './bare.ts'
import type { Report } from './report.ts'

/** A share below this part of the kept one fails. */
export const LEAST = 0.85

export interface Compared {
  path: string
  /** Rates as shares of the bare row of the same run. */
  before: number
  now: number
  /** Of the kept share. */
  ratio: number
  isLess: boolean
}

/**
 * The paths of both runs by their shares: of the bare list, for writes of the bare insert, as measured in the same run, since
 * machines differ. Paths that only one of them has are left out; throws where a run lacks its bare rows.
 */
export function compared(now: Pick<Report, 'paths'>, report: Pick<Report, 'paths'>): Compared[] {
  const [shares, kept] = [sharesOf(now), sharesOf(report)]
  return [...shares].flatMap(([path, share]) => {
    const before = kept.get(path)
    if (before === undefined || before === 0) return []
    const ratio = share / before
    return [{ path, before, now: share, ratio, isLess: ratio < LEAST }]
  })
}

function sharesOf({ paths }: Pick<Report, 'paths'>): Map<string, number> {
  const rateOf = (name: string) => {
    const row = paths.find(({ path }) => path === name)
    if (!row?.requestsPerSecond) throw new Error(`the run has no rate of "${name}"`)
    return row.requestsPerSecond
  }
  const [list, insert] = [rateOf(JOINED), rateOf(POSTED)]
  return new Map(
    paths
      .filter(({ path }) => !path.startsWith('bare: '))
      .map(({ path, requestsPerSecond }) => [
        path,
        requestsPerSecond / (path.startsWith('POST ') ? insert : list),
      ]),
  )
}
