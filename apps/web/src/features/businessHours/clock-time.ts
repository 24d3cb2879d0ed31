import { htmlLanguage, useLanguage } from '../../platform/text.ts'

/** Midnight at the end of a day is shown as 00:00, as clocks do. */
export const clockOf = (minutes: number) =>
  [Math.floor(minutes / 60) % 24, minutes % 60].map(part => String(part).padStart(2, '0')).join(':')
export const minutesOf = (shown: string) => {
  const [hours = 0, minutes = 0] = shown.split(':').map(Number)
  return hours * 60 + minutes
}

/** Weekday names in the reader's language, from Sunday on. The 4th of January 1970 was a Sunday. */
export function useWeekdays() {
  const language = htmlLanguage[useLanguage()]
  const name = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' })
  return Array.from({ length: 7 }, (_, day) => ({
    value: String(day),
    label: name.format((3 + day) * 86_400_000),
  }))
}
