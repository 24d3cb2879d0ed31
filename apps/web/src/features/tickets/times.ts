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
