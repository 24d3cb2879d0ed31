import { expect, test } from 'vitest'
import { afterClose, type Closed, closedBy, codeOf, MOST_REFUSALS, PACE } from './reconnect.ts'

const latest = () => 1
const soonest = () => 0
const closed = (code: number | undefined, failures = 0, more: Partial<Closed> = {}): Closed => ({
  code,
  failures,
  offered: false,
  refusal: null,
  ...more,
})

test('a restart that the phone asks for happens at once', () => {
  expect(afterClose(closed(515, 7))).toEqual({ is: 'again', afterMs: 0, reason: '' })
})

test.each([428, 408, 502, undefined])('after %s the wait doubles up to five minutes', code => {
  const waits = [0, 1, 2, 3, 20, 2_000].map(failures => afterClose(closed(code, failures), PACE, latest))
  expect(waits.map(next => next.is === 'again' && next.afterMs)).toEqual([
    1_000, 2_000, 4_000, 8_000, 300_000, 300_000,
  ])
})

test('the wait is drawn from the whole span, so that a thousand connections do not come back together', () => {
  expect(afterClose(closed(428, 5), PACE, soonest)).toMatchObject({ is: 'again', afterMs: 0 })
  expect(afterClose(closed(428, 5), PACE, () => 0.5)).toMatchObject({ is: 'again', afterMs: 16_000 })
})

test.each([
  [503, 'ERR_WAPP_UNAVAILABLE', 30_000],
  [500, 'ERR_WAPP_UNAVAILABLE', 0],
  [405, 'ERR_WAPP_OUTDATED', 30_000],
])(
  'after %i it is tried again with %s shown, and from the twelfth time on after rests',
  (code, reason, ms) => {
    expect(afterClose(closed(code), PACE, soonest)).toEqual({ is: 'again', afterMs: ms, reason })
    expect(afterClose(closed(code, MOST_REFUSALS - 2), PACE, latest)).toMatchObject({ afterMs: 300_000 })
    for (const failures of [MOST_REFUSALS - 1, 2_000])
      expect(afterClose(closed(code, failures), PACE)).toEqual({ is: 'rests', forMs: 900_000, reason })
  },
)

test('a temporary ban rests for as long as WhatsApp says, and for a while where it does not', () => {
  const banned = (expire?: string) => afterClose(closed(402, 0, { refusal: { expire, code: '101' } }))
  expect(banned('7200')).toEqual({ is: 'rests', forMs: 7_200_000, reason: 'ERR_WAPP_TEMP_BANNED' })
  expect(banned('99999999999')).toMatchObject({ forMs: 90 * 86_400_000 })
  for (const none of [undefined, '', '0', '-5', 'soon'])
    expect(banned(none)).toMatchObject({ forMs: 900_000 })
})

test.each([400, 409, 415, 501])(
  'a login that is refused with %i is not tried again; a line that ends so is',
  code => {
    expect(afterClose(closed(code, 0, { refusal: {} }))).toMatchObject({
      is: 'over',
      reason: 'ERR_WAPP_REFUSED',
    })
    expect(afterClose(closed(code))).toMatchObject({ is: 'again' })
  },
)

test('what WhatsApp says with a refusal is read from the error of Baileys', () => {
  const data = { reason: '402', expire: '60', code: '104' }
  const how = closedBy({ output: { statusCode: 402 }, data })
  expect(how).toEqual({ code: 402, refusal: data })
  expect(codeOf(how)).toBe('402 104')
  for (const other of [undefined, new Error('x'), { output: { statusCode: 428 }, data: { tag: 'conflict' } }])
    expect(closedBy(other).refusal).toBe(null)
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
  [403, 'ERR_WAPP_LOCKED'],
  [406, 'ERR_WAPP_BANNED'],
  [411, 'ERR_WAPP_MULTIDEVICE'],
  [440, 'ERR_WAPP_REPLACED'],
])('after %i the connection stops, keeps its keys and says %s', (code, reason) => {
  expect(afterClose(closed(code))).toEqual({ is: 'over', status: 'DISCONNECTED', reason, forget: false })
})

test('a QR code that nobody scanned times out; a lost connection does not [CONN-003]', () => {
  expect(afterClose(closed(408, 0, { offered: true }))).toMatchObject({ is: 'over', status: 'TIMEOUT' })
  expect(afterClose(closed(408))).toMatchObject({ is: 'again' })
})
