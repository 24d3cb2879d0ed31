import dayjs from 'dayjs'
import { useSyncExternalStore } from 'react'

/** The hour today, the day this year, else the date. */
export function shortTime(at: string): string {
  const time = dayjs(at)
  if (time.isSame(dayjs(), 'day')) return time.format('HH:mm')
  return time.isSame(dayjs(), 'year') ? time.format('DD/MM') : time.format('DD/MM/YY')
}

export function waited(minutes: number): string {
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return `${hours} h ${minutes % 60}`
  return `${Math.floor(hours / 24)} d`
}

let minute = Date.now()
const watchers = new Set<() => void>()
setInterval(() => {
  minute = Date.now()
  for (const tell of watchers) tell()
}, 15_000)

/** The time, once in a while: one clock for all rows. */
export const useMinute = (): number =>
  useSyncExternalStore(
    tell => {
      watchers.add(tell)
      return () => watchers.delete(tell)
    },
    () => minute,
  )
