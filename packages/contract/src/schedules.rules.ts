import type { Viewer } from './permissions.rules.ts'
import { may } from './permissions.rules.ts'
import type { ScheduleType } from './schedules.ts'

/** Local time of a schedule in the company's zone: `YYYY-MM-DDTHH:mm`. */
export interface Rhythm {
  typeSchedule: ScheduleType
  /** Local time of the first one: its day of the month applies to later months (OP-87). */
  firstAt: string
  /** Repeats after the first one; null for unlimited (OP-88). */
  repeatCounter: number | null
}

/**
 * The next `count` occurrences after number `after` (−1: from the first), in the company's local time. Knows no time
 * zone: only the database converts local time to UTC (`momentsOf` of schedules), across changes of summer time.
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

/** Admins and the creator (ROLE-005). */
export const mayChangeSchedule = (viewer: Viewer, { userId }: { userId: number | null }) =>
  may(viewer, 'schedules:all') || userId === viewer.id
