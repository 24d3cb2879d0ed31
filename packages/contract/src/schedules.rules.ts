import type { Viewer } from './permissions.rules.ts'
import { may } from './permissions.rules.ts'
import type { ScheduleType } from './schedules.ts'

/** When a schedule leaves, as the company's clock shows it: `YYYY-MM-DDTHH:mm`. */
export interface Rhythm {
  typeSchedule: ScheduleType
  /** What the clock shows at the first one: its day of the month is kept for later months (OP-87). */
  firstAt: string
  /** How often it comes again after the first one; null for ever (OP-88). */
  repeatCounter: number | null
}

/**
 * The next `count` occurrences behind the one numbered `after` (−1: from the first one on), as the company's clock shows
 * them. Nothing here knows a zone: the calendar is the same everywhere, and what a clock's time is in UTC the database
 * alone says (`momentsOf` of schedules), through every change to and from summer time.
 */
export function nextOccurrences(rhythm: Rhythm, after: number, count: number): string[] {
  const last = lastOf(rhythm)
  const wanted = Math.max(0, Math.min(after + count, last) - after)
  return Array.from({ length: wanted }, (_, at) => occurrence(rhythm, after + 1 + at))
}

/** The number of the last occurrence; a single one is its first and last. */
const lastOf = ({ typeSchedule, repeatCounter }: Rhythm) =>
  typeSchedule === 'Único' ? 0 : (repeatCounter ?? Number.POSITIVE_INFINITY)

function occurrence({ typeSchedule, firstAt }: Rhythm, number: number): string {
  const [year, month, day] = firstAt.slice(0, 10).split('-').map(Number) as [number, number, number]
  const on =
    typeSchedule === 'Recorrente Mensal'
      ? inMonth(year, month - 1 + number, day)
      : new Date(Date.UTC(year, month - 1, day + WEEK * number))
  return `${on.toISOString().slice(0, 10)}${firstAt.slice(10, 16)}`
}

const WEEK = 7

/** Day 0 of a month is the last of the one before. */
function inMonth(year: number, month: number, day: number): Date {
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return new Date(Date.UTC(year, month, Math.min(day, last)))
}

/** Admins and whoever made it (ROLE-005). */
export const mayChangeSchedule = (viewer: Viewer, { userId }: { userId: number | null }) =>
  may(viewer, 'schedules:all') || userId === viewer.id
