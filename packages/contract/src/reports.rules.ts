/** What tickets that were closed add up to. Sums and how many there are of each: means can be made, and added again. */
export interface Figures {
  /** How often tickets were closed. */
  closed: number
  /** Of those, the ones that somebody had accepted, and the seconds from there to the closing. */
  served: number
  serveSeconds: number
  /** Of those, the ones that had waited for somebody, and the seconds they did. */
  waited: number
  waitSeconds: number
}

export const NO_FIGURES: Figures = { closed: 0, served: 0, serveSeconds: 0, waited: 0, waitSeconds: 0 }

export const addFigures = (a: Figures, b: Figures): Figures => ({
  closed: a.closed + b.closed,
  served: a.served + b.served,
  serveSeconds: a.serveSeconds + b.serveSeconds,
  waited: a.waited + b.waited,
  waitSeconds: a.waitSeconds + b.waitSeconds,
})

/** TMA: from the acceptance to the closing, on average; null when nothing was served. */
export const serviceTime = ({ served, serveSeconds }: Figures) => mean(serveSeconds, served)

/** TME: from the creation to the acceptance, on average; null when nobody waited. */
export const waitTime = ({ waited, waitSeconds }: Figures) => mean(waitSeconds, waited)

const mean = (sum: number, count: number) => (count === 0 ? null : Math.round(sum / count))

/**
 * By how many whole percents a figure rose, or fell where it is below 0, from what it was; null where nothing was, or
 * nothing is, to compare.
 */
export function percentChange(before: number | null, now: number | null): number | null {
  if (!before || now === null) return null
  const change = Math.round(((now - before) * 100) / before)
  // a fall of less than half a percent rounds to -0
  return change === 0 ? 0 : change
}

/** The general figures against those of the period before. */
export const percentChanges = (before: Figures, now: Figures) => ({
  closed: percentChange(before.closed, now.closed),
  tma: percentChange(serviceTime(before), serviceTime(now)),
  tme: percentChange(waitTime(before), waitTime(now)),
  serveSeconds: percentChange(before.serveSeconds, now.serveSeconds),
  waitSeconds: percentChange(before.waitSeconds, now.waitSeconds),
})

/** Seconds as HH:mm:ss; hours go on above 99. Nothing to say is a dash, which no zero is. */
export function durationOf(seconds: number | null): string {
  if (seconds === null) return '–'
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60]
  return parts.map(part => String(part).padStart(2, '0')).join(':')
}

/** Whole percents that add up to 100: what rounding left goes to the largest remainders. All are 0 of nothing. */
export function percentsOf(counts: number[]): number[] {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return counts.map(() => 0)
  const exact = counts.map(count => (count * 100) / total)
  const left = 100 - exact.reduce((sum, share) => sum + Math.floor(share), 0)
  const lucky = exact
    .map((share, place) => ({ place, rest: share - Math.floor(share) }))
    .sort((a, b) => b.rest - a.rest || a.place - b.place)
    .slice(0, left)
  const more = new Set(lucky.map(({ place }) => place))
  return exact.map((share, place) => Math.floor(share) + (more.has(place) ? 1 : 0))
}

const DAY_MS = 86_400_000
/** A report of more is refused: five years, leap days among them. */
export const MOST_DAYS = 1_827

/** What is wrong with a range of two moments: null when nothing is. */
export function rangeFault(from: string, until: string): 'backwards' | 'tooLong' | null {
  const length = Date.parse(until) - Date.parse(from)
  if (length < 0) return 'backwards'
  return length > MOST_DAYS * DAY_MS ? 'tooLong' : null
}
