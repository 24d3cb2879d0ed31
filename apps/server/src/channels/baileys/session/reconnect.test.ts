import { expect, test } from 'vitest'
import { afterClose, PACE } from './reconnect.ts'

const latest = () => 1
const soonest = () => 0
const closed = (code: number | undefined, failures = 0, offered = false) => ({ code, failures, offered })

test('a restart that the phone asks for happens at once', () => {
  expect(afterClose(closed(515, 7))).toEqual({ is: 'again', afterMs: 0 })
})

test.each([428, 408, 500, 502, undefined])('after %s the wait doubles up to five minutes', code => {
  const waits = [0, 1, 2, 3, 20, 2_000].map(failures => afterClose(closed(code, failures), PACE, latest))
  expect(waits.map(next => next.is === 'again' && next.afterMs)).toEqual([
    1_000, 2_000, 4_000, 8_000, 300_000, 300_000,
  ])
})

test('the wait is drawn from the whole span, so that a thousand connections do not come back together', () => {
  expect(afterClose(closed(428, 5), PACE, soonest)).toEqual({ is: 'again', afterMs: 0 })
  expect(afterClose(closed(428, 5), PACE, () => 0.5)).toEqual({ is: 'again', afterMs: 16_000 })
})

test.each([503, 405])('after %s nobody hurries', code => {
  expect(afterClose(closed(code), PACE, soonest)).toEqual({ is: 'again', afterMs: 30_000 })
  expect(afterClose(closed(code, 20), PACE, latest)).toEqual({ is: 'again', afterMs: 300_000 })
})

test('a number that was taken off the phone is forgotten', () => {
  expect(afterClose(closed(401))).toEqual({
    is: 'over',
    status: 'DISCONNECTED',
    reason: 'ERR_WAPP_LOGGED_OUT',
    forget: true,
  })
})

test.each([
  [403, 'ERR_WAPP_BANNED'],
  [411, 'ERR_WAPP_MULTIDEVICE'],
  [440, 'ERR_WAPP_REPLACED'],
])('after %i the connection stops, keeps its keys and says %s', (code, reason) => {
  expect(afterClose(closed(code))).toEqual({ is: 'over', status: 'DISCONNECTED', reason, forget: false })
})

test('a QR code that nobody scanned times out; a lost connection does not [CONN-003]', () => {
  expect(afterClose(closed(408, 0, true))).toMatchObject({ is: 'over', status: 'TIMEOUT' })
  expect(afterClose(closed(408, 0, false))).toMatchObject({ is: 'again' })
})
