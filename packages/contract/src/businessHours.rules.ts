import type { BusinessHours, OpenHours } from './businessHours.ts'

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

/** Whether a company is open at a time of its clock: `31/12/2026`, `21:47`. */
export function isOpenAt({ hours, holidays }: BusinessHours, at: { day: string; time: string }): boolean {
  const [day, month, year] = at.day.split('/') as [string, string, string]
  const [hour, minute] = at.time.split(':').map(Number) as [number, number]
  if (holidays.some(one => one.day === `${year}-${month}-${day}`)) return false
  const weekday = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDay()
  const now = hour * 60 + minute
  return hours.some(one => one.weekday === weekday && one.opens <= now && now < one.closes)
}
