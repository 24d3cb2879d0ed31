/** Sums and counts of closed tickets, from which averages can be computed, and which can be added. */
export interface Figures {
  /** How often tickets were closed. */
  closed: number
  /** Of those, the ones that were accepted by a user, and the seconds from there to the closing without further waits. */
  served: number
  serveSeconds: number
  /** Of those, the ones that waited until a user accepted, and their seconds, including again after a return. */
  waited: number
  waitSeconds: number
  /** Of those that began by waiting, the ones to which a person wrote, and the seconds until he first did. */
  answered: number
  answerSeconds: number
  /** Those that a bot led for a while, and the seconds it did. */
  botted: number
  botSeconds: number
  /** The three times within opening hours, of tickets closed while the company had opening hours. */
  servedOpen: number
  serveOpenSeconds: number
  waitedOpen: number
  waitOpenSeconds: number
  answeredOpen: number
  answerOpenSeconds: number
  /** Of those closed while the company had opening hours: how many, and how many of them began outside them. */
  timed: number
  outside: number
}

export const figureNames = [
  'closed',
  'served',
  'serveSeconds',
  'waited',
  'waitSeconds',
  'answered',
  'answerSeconds',
  'botted',
  'botSeconds',
  'servedOpen',
  'serveOpenSeconds',
  'waitedOpen',
  'waitOpenSeconds',
  'answeredOpen',
  'answerOpenSeconds',
  'timed',
  'outside',
] as const satisfies (keyof Figures)[]

const eachFigure = (of: (name: keyof Figures) => number) =>
  Object.fromEntries(figureNames.map(name => [name, of(name)])) as Record<keyof Figures, number>

export const NO_FIGURES: Figures = eachFigure(() => 0)

export const addFigures = (a: Figures, b: Figures): Figures => eachFigure(name => a[name] + b[name])

/** TMA: from the acceptance to the closing without further waits, on average; null when nothing was served. */
export const serviceTime = ({ served, serveSeconds }: Pick<Figures, 'served' | 'serveSeconds'>) =>
  mean(serveSeconds, served)

/** TME: from the creation, or a return to the queue, to the acceptance, on average; null when no ticket waited. */
export const waitTime = ({ waited, waitSeconds }: Pick<Figures, 'waited' | 'waitSeconds'>) =>
  mean(waitSeconds, waited)

/** From the creation, or a reopening, to the first message of a person, on average; null when none was answered. */
export const answerTime = ({ answered, answerSeconds }: Figures) => mean(answerSeconds, answered)

/** Average duration of a bot's part, of tickets with one. */
export const botTime = ({ botted, botSeconds }: Figures) => mean(botSeconds, botted)

/** The three means within the hours of the company. */
export const openTimes = (of: Figures) => ({
  serve: mean(of.serveOpenSeconds, of.servedOpen),
  wait: mean(of.waitOpenSeconds, of.waitedOpen),
  answer: mean(of.answerOpenSeconds, of.answeredOpen),
})

const mean = (sum: number, count: number) => (count === 0 ? null : Math.round(sum / count))

/** Change of a figure in whole percents; null without a value to compare. */
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
  answer: percentChange(answerTime(before), answerTime(now)),
  serveSeconds: percentChange(before.serveSeconds, now.serveSeconds),
  waitSeconds: percentChange(before.waitSeconds, now.waitSeconds),
})

/** Seconds as HH:mm:ss; hours go on above 99. No value is a dash, unlike zero. */
export function durationOf(seconds: number | null): string {
  if (seconds === null) return '–'
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60]
  return parts.map(part => String(part).padStart(2, '0')).join(':')
}

/** Whole percents that add up to 100, by the largest remainder method. All are 0 of nothing. */
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

/** Groups days so that a chart stays readable. */
export type Span = 'day' | 'week' | 'month'

/** Days up to three months, then weeks up to a year and a half, then months. */
export const spanFor = (days: number): Span => (days <= 92 ? 'day' : days <= 550 ? 'week' : 'month')

/** Days added up to weeks from Monday or to months, each named by its first day that is there. */
export function inSpans<Day extends Figures & { day: string }>(
  days: Day[],
  span: Span,
): (Figures & { day: string })[] {
  if (span === 'day') return days
  const sums = new Map<string, Figures & { day: string }>()
  for (const one of days) {
    const key = span === 'month' ? one.day.slice(0, 7) : mondayOf(one.day)
    const sum = sums.get(key)
    sums.set(key, { ...addFigures(sum ?? NO_FIGURES, one), day: sum?.day ?? one.day })
  }
  return [...sums.values()]
}

/** A day of the calendar, counted in UTC where every day has 24 hours. */
function mondayOf(day: string): string {
  const at = Date.parse(`${day}T00:00:00Z`)
  const sinceMonday = (new Date(at).getUTCDay() + 6) % 7
  return new Date(at - sinceMonday * DAY_MS).toISOString().slice(0, 10)
}

type Sums = Pick<Figures, 'closed' | 'waited' | 'waitSeconds'>
type Hour = Sums & { weekday: number; hour: number }

/** Every hour of the day, whether anything began in it or not. */
export const hoursOfDay = (hours: Hour[]) =>
  Array.from({ length: 24 }, (_, hour) => ({ hour, ...sumOf(hours.filter(one => one.hour === hour)) }))

/** Every day of the week from Monday (1). */
export const weekdays = (hours: Hour[]) =>
  Array.from({ length: 7 }, (_, at) => ({
    weekday: at + 1,
    ...sumOf(hours.filter(one => one.weekday === at + 1)),
  }))

const sumOf = (all: Sums[]): Sums =>
  all.reduce<Sums>(
    (sum, one) => ({
      closed: sum.closed + one.closed,
      waited: sum.waited + one.waited,
      waitSeconds: sum.waitSeconds + one.waitSeconds,
    }),
    { closed: 0, waited: 0, waitSeconds: 0 },
  )

interface Targets {
  waitMinutes: number | null
  serveMinutes: number | null
  closedPerDay: number | null
}

/** Closings of an average day of the range, to a tenth; null of no days. */
export const closedPerDay = ({ closed }: Pick<Figures, 'closed'>, days: number): number | null =>
  days === 0 ? null : Math.round((closed * 10) / days) / 10

/**
 * Whether each figure reached its target: times at or below it, closings at or above it. Null without a target or a
 * value.
 */
export function targetsReached(targets: Targets, figures: Figures, days: number) {
  const within = (seconds: number | null, minutes: number | null) =>
    seconds === null || minutes === null ? null : seconds <= minutes * 60
  const perDay = closedPerDay(figures, days)
  return {
    wait: within(waitTime(figures), targets.waitMinutes),
    serve: within(serviceTime(figures), targets.serveMinutes),
    perDay: perDay === null || targets.closedPerDay === null ? null : perDay >= targets.closedPerDay,
  }
}
