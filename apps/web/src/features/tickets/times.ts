import { store, useStore } from '../../platform/store.ts'
import { clock } from '../../platform/time.ts'

/** The hour today, the day this year, else the date. */
export function shortTime(at: string): string {
  const time = clock(at)
  if (time.isSame(clock(), 'day')) return time.format('HH:mm')
  return time.format(time.isSame(clock(), 'year') ? 'l' : 'L')
}

export function waited(minutes: number): string {
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return `${hours} h ${String(minutes % 60).padStart(2, '0')}`
  return `${Math.floor(hours / 24)} d`
}

const minute = store(Date.now())
const tick = () => minute.write(Date.now())
setInterval(tick, 15_000)
// timers are suspended while the machine sleeps
document.addEventListener('visibilitychange', tick)

/** The current time, updated rarely: one clock for all rows. */
export const useMinute = (): number => useStore(minute)

/** Today by the company's clock: rerenders at midnight. */
export const useToday = (): string => useStore(minute, () => clock().format('YYYY-MM-DD'))
