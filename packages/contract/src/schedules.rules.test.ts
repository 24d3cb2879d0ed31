import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isOnWorkingDay, nextOccurrences, type Rhythm, workCalendarOf } from './schedules.rules.ts'

const monthly = (firstAt: string, repeatCounter: number | null = null): Rhythm => ({
  typeSchedule: 'Recorrente Mensal',
  firstAt,
  repeatCounter,
})

test('a month that is too short takes its last day, and later ones have their day again (OP-87) [OP-87]', () => {
  expect(nextOccurrences(monthly('2027-01-31T09:30'), -1, 5)).toEqual([
    '2027-01-31T09:30',
    '2027-02-28T09:30',
    '2027-03-31T09:30',
    '2027-04-30T09:30',
    '2027-05-31T09:30',
  ])
  expect(nextOccurrences(monthly('2027-12-30T23:59'), 1, 2)).toEqual(['2028-02-29T23:59', '2028-03-30T23:59'])
})

test('a series ends after its repeats; 0 sends once, and a single one does whatever it says (OP-88) [OP-88]', () => {
  expect(nextOccurrences(monthly('2027-01-01T08:00', 2), -1, 10)).toHaveLength(3)
  expect(nextOccurrences(monthly('2027-01-01T08:00', 2), 1, 10)).toEqual(['2027-03-01T08:00'])
  expect(nextOccurrences(monthly('2027-01-01T08:00', 0), -1, 10)).toEqual(['2027-01-01T08:00'])
  expect(nextOccurrences({ ...monthly('2027-01-01T08:00'), typeSchedule: 'Único' }, -1, 10)).toHaveLength(1)
  expect(nextOccurrences(monthly('2027-01-01T08:00', 2), 7, 10)).toEqual([])
})

test('every so many days and on working days, until the last day; the calendar counts from what is known', () => {
  const every = { typeSchedule: 'Recorrente em Dias' as const, everyDays: 10, repeatCounter: null }
  expect(nextOccurrences({ ...every, firstAt: '2028-02-20T09:00', untilDay: '2028-03-11' }, -1, 9)).toEqual([
    ...['2028-02-20T09:00', '2028-03-01T09:00', '2028-03-11T09:00'],
  ])
  // a Saturday; Monday is a holiday
  const calendar = workCalendarOf({ hours: [], holidays: [{ day: '2027-11-15', name: 'República' }] })
  const working = { typeSchedule: 'Recorrente em Dias Úteis' as const, repeatCounter: 3, calendar }
  const days = ['2027-11-16T08:00', '2027-11-17T08:00', '2027-11-18T08:00', '2027-11-19T08:00']
  expect(nextOccurrences({ ...working, firstAt: '2027-11-13T08:00' }, -1, 9)).toEqual(days)
  const known = { number: 1, at: '2027-11-17T08:00' }
  const without = { ...calendar, holidays: ['2027-11-18'] }
  expect(
    nextOccurrences({ ...working, firstAt: '2027-11-13T08:00', known, calendar: without }, 1, 1),
  ).toEqual(['2027-11-19T08:00'])
  // its day became a holiday after it was planned
  const late = {
    ...working,
    firstAt: '2027-11-13T08:00',
    known,
    calendar: { ...calendar, holidays: ['2027-11-17'] },
  }
  expect(nextOccurrences(late, 1, 1)).toEqual(['2027-11-18T08:00'])
  expect(isOnWorkingDay(late.calendar, known.at)).toBe(false)
  const saturdays = workCalendarOf({ hours: [{ weekday: 6, opens: 540, closes: 720 }], holidays: [] })
  expect(nextOccurrences({ ...working, firstAt: '2027-11-13T08:00', calendar: saturdays }, 0, 1)).toEqual([
    '2027-11-20T08:00',
  ])
})

test('is what somebody finds who turns the leaves of a calendar day by day', () => {
  const starts = fc.date({ min: new Date('2024-01-01'), max: new Date('2032-01-01'), noInvalidDate: true })
  const repeats = fc.option(fc.integer({ min: 0, max: 20 }), { nil: null })
  const kinds = fc.constantFrom('Único', 'Recorrente Semanal', 'Recorrente Mensal')
  fc.assert(
    fc.property(
      starts,
      repeats,
      kinds,
      fc.integer({ min: -1, max: 15 }),
      (start, repeatCounter, kind, after) => {
        const rhythm = { typeSchedule: kind, firstAt: start.toISOString().slice(0, 16), repeatCounter }
        const all = turned(rhythm, after + 1 + 4)
        expect(nextOccurrences(rhythm, after, 4)).toEqual(all.slice(after + 1))
      },
    ),
  )
})

/** The slow way: day after day from the first one, asking of each whether it is one of them. */
function turned({ typeSchedule, firstAt, repeatCounter }: Rhythm, count: number): string[] {
  const most = typeSchedule === 'Único' ? 1 : Math.min(count, (repeatCounter ?? count) + 1)
  const anchor = Number(firstAt.slice(8, 10))
  const found: string[] = []
  const day = new Date(`${firstAt}:00.000Z`)
  for (let passed = 0; found.length < most; passed++, day.setUTCDate(day.getUTCDate() + 1)) {
    const tomorrow = new Date(day.getTime() + 86_400_000)
    const isLast = tomorrow.getUTCDate() === 1
    const isDay = day.getUTCDate() === anchor || (isLast && day.getUTCDate() < anchor)
    if (typeSchedule === 'Recorrente Mensal' ? isDay : passed % 7 === 0)
      found.push(day.toISOString().slice(0, 16))
  }
  return found
}
