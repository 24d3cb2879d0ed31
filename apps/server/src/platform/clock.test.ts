import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { databaseNow, databaseTime, readDatabaseClock } from './clock.ts'

const HOUR = 3_600_000
/** The database's clock, by the monotonic one. */
let ahead = 0
const clock = () => performance.now() + ahead
const read = (answersAfterMs = 0) =>
  readDatabaseClock({
    async time() {
      vi.advanceTimersByTime(answersAfterMs / 2)
      const time = clock()
      vi.advanceTimersByTime(answersAfterMs / 2)
      return time
    },
  })

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  ahead = 1_800_000_000_000
  await read()
})
afterEach(() => void vi.useRealTimers())

test('the time is the database’s, whatever the clock of the process is, also when it is set', () => {
  vi.setSystemTime(Date.now() - HOUR)
  expect(databaseNow()).toBe(clock())
  vi.setSystemTime(Date.now() + 3 * HOUR)
  vi.advanceTimersByTime(5_000)
  expect(databaseNow()).toBe(clock())
  expect(databaseTime()).toBe(new Date(clock()).toISOString())
})

test('an answer that was under way for long moves no clock that agrees with it; a database that was set is followed', async () => {
  await read(8_000)
  expect(databaseNow()).toBe(clock())
  ahead -= HOUR
  await read(100)
  expect(Math.abs(databaseNow() - clock())).toBeLessThanOrEqual(50)
})
