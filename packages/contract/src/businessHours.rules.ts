import type { OpenHours } from './businessHours.ts'

/** Index of the first span that overlaps the one before it of its day; null when none does. */
export function overlapIn(hours: OpenHours[]): number | null {
  const at = hours.findIndex((one, place) =>
    hours.some(
      (other, before) =>
        before < place &&
        other.weekday === one.weekday &&
        other.opens < one.closes &&
        one.opens < other.closes,
    ),
  )
  return at < 0 ? null : at
}
