import { store, useStore } from './store.ts'
import { clock } from './time.ts'

const minute = store(Date.now())
const tick = () => minute.write(Date.now())
setInterval(tick, 15_000)
// timers are suspended while the machine sleeps
document.addEventListener('visibilitychange', tick)

/** The current time, updated rarely: one clock for all rows. */
export const useMinute = (): number => useStore(minute)

/** Today by the company's clock: rerenders at midnight. */
export const useToday = (): string => useStore(minute, () => clock().format('YYYY-MM-DD'))
