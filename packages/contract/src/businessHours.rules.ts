import type { OpenHours, PlaceHours } from './businessHours.ts'

/** Whether an input changes the hours or holidays of a queue or a connection. */
export const isOtherHours = (
  before: PlaceHours,
  input: { [Name in keyof PlaceHours]?: PlaceHours[Name] | undefined },
) =>
  (['hours', 'holidays'] as const).some(
    name => input[name] !== undefined && JSON.stringify(input[name]) !== JSON.stringify(before[name]),
  )

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
