import type { BusinessHours } from './businessHours.ts'
import type { Viewer } from './permissions.rules.ts'
import { may } from './permissions.rules.ts'
import type { ScheduleType, WorkCalendar } from './schedules.ts'

/** Local time of a schedule in the company's zone: `YYYY-MM-DDTHH:mm`. */
export interface Rhythm {
  typeSchedule: ScheduleType
  /** Local time of the first one: its day of the month applies to later months (OP-87). */
  firstAt: string
  /** Repeats after the first one; null for unlimited (OP-88). */
  repeatCounter: number | null
  /** Days from one to the next. */
  everyDays?: number | null
  /** The last day of the series. */
  untilDay?: string | null
  /** Of a series on working days: the calendar, and a known occurrence, from which days are counted: a calendar changes. */
  calendar?: WorkCalendar
  known?: { number: number; at: string }
}

/**
 * The next `count` occurrences after number `after` (−1: from the first), in the company's local time. Knows no time
 * zone: only the database converts local time to UTC (`momentsOf` of schedules), across changes of summer time.
 */
export function nextOccurrences(rhythm: Rhythm, after: number, count: number): string[] {
  const last = lastOf(rhythm)
  const wanted = Math.max(0, Math.min(after + count, last) - after)
  const all =
    rhythm.typeSchedule === 'Recorrente em Dias Úteis'
      ? onWorkingDays(rhythm, after + 1, wanted)
      : Array.from({ length: wanted }, (_, at) => occurrence(rhythm, after + 1 + at))
  const { untilDay } = rhythm
  return untilDay && rhythm.typeSchedule !== 'Único' ? all.filter(at => at.slice(0, 10) <= untilDay) : all
}

/** The working days of a company: those of its opening hours, else Monday to Friday; without its holidays. */
export const workCalendarOf = ({ hours, holidays }: BusinessHours): WorkCalendar => ({
  weekdays: hours.length > 0 ? [...new Set(hours.map(({ weekday }) => weekday))] : [1, 2, 3, 4, 5],
  holidays: holidays.map(one => one.day),
})

/** The number of the last occurrence; a single one is its first and last. */
const lastOf = ({ typeSchedule, repeatCounter }: Rhythm) =>
  typeSchedule === 'Único' ? 0 : (repeatCounter ?? Number.POSITIVE_INFINITY)

function occurrence({ typeSchedule, firstAt, everyDays }: Rhythm, number: number): string {
  const [year, month, date] = firstAt.slice(0, 10).split('-').map(Number) as [number, number, number]
  const step = typeSchedule === 'Recorrente em Dias' ? (everyDays ?? 1) : WEEK
  const on =
    typeSchedule === 'Recorrente Mensal'
      ? inMonth(year, month - 1 + number, date)
      : new Date(Date.UTC(year, month - 1, date + step * number))
  return `${on.toISOString().slice(0, 10)}${firstAt.slice(10, 16)}`
}

/** Whether a local time of the company is on a working day. */
export const isOnWorkingDay = ({ weekdays, holidays }: WorkCalendar, at: string) =>
  weekdays.includes(new Date(`${at.slice(0, 10)}T00:00:00Z`).getUTCDay()) &&
  !holidays.includes(at.slice(0, 10))

/** The first one is moved to the first working day from it on; those after `known` are on the days after its day. */
function onWorkingDays({ firstAt, calendar, known }: Rhythm, from: number, count: number): string[] {
  const { weekdays, holidays } = calendar ?? { weekdays: [1, 2, 3, 4, 5], holidays: [] }
  const closed = new Set(holidays)
  const { number, at } = known ?? { number: -1, at: firstAt }
  const found: string[] = []
  const date = new Date(`${at.slice(0, 10)}T00:00:00Z`)
  if (known) date.setUTCDate(date.getUTCDate() + 1)
  for (let reached = number + 1; found.length < count; date.setUTCDate(date.getUTCDate() + 1)) {
    const shown = date.toISOString().slice(0, 10)
    if (!weekdays.includes(date.getUTCDay()) || closed.has(shown)) continue
    if (reached >= from) found.push(`${shown}${firstAt.slice(10, 16)}`)
    reached++
  }
  return found
}

const WEEK = 7

/** Day 0 of a month is the last of the one before. */
function inMonth(year: number, month: number, day: number): Date {
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return new Date(Date.UTC(year, month, Math.min(day, last)))
}

/** Admins and the creator (ROLE-005). */
export const mayChangeSchedule = (viewer: Viewer, { userId }: { userId: number | null }) =>
  may(viewer, 'schedules:all') || userId === viewer.id
