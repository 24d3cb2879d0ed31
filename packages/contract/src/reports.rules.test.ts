import { expect, test } from 'vitest'
import {
  addFigures,
  closedPerDay,
  type Figures,
  hoursOfDay,
  inSpans,
  NO_FIGURES,
  percentChange,
  percentChanges,
  spanFor,
  targetsReached,
  weekdays,
} from './reports.rules.ts'

test('a change is told in whole percents, up or down, and never as less than nothing', () => {
  expect(percentChange(50, 56)).toBe(12)
  expect(percentChange(64, 59)).toBe(-8)
  expect(percentChange(8, 9)).toBe(13)
  expect(percentChange(10, 0)).toBe(-100)
  expect(percentChange(1, 500)).toBe(49_900)
  expect(percentChange(70, 70)).toBe(0)
  expect(percentChange(1_000, 999)).toBe(0)
})

test('with nothing before, or no mean now, there is nothing to compare', () => {
  expect(percentChange(0, 7)).toBeNull()
  expect(percentChange(0, 0)).toBeNull()
  expect(percentChange(null, 7)).toBeNull()
  expect(percentChange(7, null)).toBeNull()
})

test('who closed tickets before and closes none now has no means, but fewer of everything', () => {
  const before = { ...NO_FIGURES, closed: 2, served: 1, serveSeconds: 60, waited: 1, waitSeconds: 30 }
  expect(percentChanges(before, NO_FIGURES)).toEqual({
    closed: -100,
    tma: null,
    tme: null,
    answer: null,
    serveSeconds: -100,
    waitSeconds: -100,
  })
})

test('a long range is told in weeks from Monday, or in months, and they add up to its days', () => {
  const days = Array.from({ length: 400 }, (_, at) => ({
    ...NO_FIGURES,
    day: new Date(Date.UTC(2023, 10, 29 + at)).toISOString().slice(0, 10),
    closed: at,
    served: 1,
  }))
  expect([7, 92, 93, 550, 551].map(spanFor)).toEqual(['day', 'day', 'week', 'week', 'month'])
  expect(inSpans(days, 'day')).toEqual(days)
  const [weeks, months] = [inSpans(days, 'week'), inSpans(days, 'month')]
  expect(weeks.slice(0, 3).map(({ day }) => day)).toEqual(['2023-11-29', '2023-12-04', '2023-12-11'])
  expect(months.slice(0, 3).map(({ day }) => day)).toEqual(['2023-11-29', '2023-12-01', '2024-01-01'])
  expect(months[3]).toMatchObject({ day: '2024-02-01', served: 29 })
  const sumOf = (all: Figures[]) => all.reduce(addFigures, NO_FIGURES)
  for (const spans of [weeks, months]) expect(sumOf(spans)).toEqual(sumOf(days))
})

test('hours of a week add up to every hour of the day, and to every day from Monday', () => {
  const hours = [
    { weekday: 1, hour: 9, closed: 3, waited: 2, waitSeconds: 60 },
    { weekday: 7, hour: 9, closed: 1, waited: 1, waitSeconds: 5 },
    { weekday: 7, hour: 23, closed: 2, waited: 0, waitSeconds: 0 },
  ]
  const none = { closed: 0, waited: 0, waitSeconds: 0 }
  expect(hoursOfDay(hours)).toHaveLength(24)
  expect(hoursOfDay(hours)[9]).toEqual({ hour: 9, closed: 4, waited: 3, waitSeconds: 65 })
  expect(hoursOfDay(hours)[0]).toEqual({ hour: 0, ...none })
  expect(weekdays(hours).map(({ closed }) => closed)).toEqual([3, 0, 0, 0, 0, 0, 3])
})

test('a time reaches its target at or below it, closings a day at or above; without one there is nothing to say', () => {
  const figures = { ...NO_FIGURES, closed: 25, waited: 1, waitSeconds: 300, served: 2, serveSeconds: 1_202 }
  const reached = (waitMinutes: number | null, serveMinutes: number | null, perDay: number | null) =>
    targetsReached({ waitMinutes, serveMinutes, closedPerDay: perDay }, figures, 10)
  expect(closedPerDay(figures, 10)).toBe(2.5)
  expect(reached(5, 10, 3)).toEqual({ wait: true, serve: false, perDay: false })
  expect(reached(4, null, 2)).toEqual({ wait: false, serve: null, perDay: true })
  const none = targetsReached({ waitMinutes: 5, serveMinutes: 5, closedPerDay: 1 }, NO_FIGURES, 0)
  expect(none).toEqual({ wait: null, serve: null, perDay: null })
})
