import { afterEach, expect, test } from 'vitest'
import { clock, momentAt, setDateLocale, shownTime, showZone } from './time.ts'

afterEach(() => showZone(''))

test.each([
  ['America/Sao_Paulo', '2026-11-22T00:47:00.000Z', '2026-11-21 21:47'],
  ['Asia/Tokyo', '2026-11-22T00:47:00.000Z', '2026-11-22 09:47'],
  ['Asia/Kathmandu', '2025-12-31T18:15:00.000Z', '2026-01-01 00:00'],
  ['America/Sao_Paulo', '2018-11-11T02:30:00.000Z', '2018-11-11 00:30'],
  ['America/New_York', '2026-03-08T06:59:00.000Z', '2026-03-08 01:59'],
  ['America/New_York', '2026-03-08T07:00:00.000Z', '2026-03-08 03:00'],
])(
  'in %s a clock shows %s as %s, and that is the moment it stands for [GEN-015, OP-59]',
  (zone, at, shown) => {
    showZone(zone)
    expect(clock(at).format('YYYY-MM-DD HH:mm')).toBe(shown)
    expect(momentAt(shown.replace(' ', 'T'))).toBe(at)
  },
)

test('days are those of the zone', () => {
  showZone('America/Sao_Paulo')
  const late = clock('2026-11-22T00:47:00.000Z')
  expect(late.isSame(clock('2026-11-21T12:00:00.000Z'), 'day')).toBe(true)
  expect(late.isSame(clock('2026-11-22T12:00:00.000Z'), 'day')).toBe(false)
})

test.each([
  ['ptBR', '05/06/2026 13:00', '05/06'],
  ['en', 'Jun 5, 2026 13:00', 'Jun 5'],
  ['es', '05/06/2026 13:00', '05/06'],
] as const)('in %s a date is written %s, and %s without its year', (language, whole, short) => {
  setDateLocale(language)
  expect(shownTime('2026-06-05T13:00').format('L LT')).toBe(whole)
  expect(shownTime('2026-06-05T13:00').format('l')).toBe(short)
})
