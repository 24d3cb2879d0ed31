import { expect, test } from 'vitest'
import {
  anchorOf,
  basesThatStay,
  followed,
  type LogStretch,
  lsnOf,
  positionOfLsn,
  positionOfSegment,
  segmentAt,
  stretchObject,
  stretchOf,
} from './names.ts'

const DAY = 24 * 3_600_000
const now = Date.parse('2026-03-31T12:00:00Z')
/** One each night at five. */
const nights = Array.from({ length: 400 }, (_, ago) => ({
  at: Date.parse('2026-03-31T05:00:00Z') - ago * DAY,
}))
const daysOf = (bases: Iterable<{ at: number }>) =>
  [...bases].map(({ at }) => new Date(at).toISOString().slice(0, 10)).sort()

test('of many backups the newest of some days, weeks and months stay', () => {
  const keep = { daily: 3, weekly: 3, monthly: 3 }
  expect(daysOf(basesThatStay(nights, { keep, logDays: 0, now }))).toEqual([
    '2026-01-31',
    '2026-02-28',
    '2026-03-22',
    '2026-03-29',
    '2026-03-30',
    '2026-03-31',
  ])
})

test('a backup from which a moment of the days of the log is restored stays, and the newest, however few are kept', () => {
  const keep = { daily: 1, weekly: 0, monthly: 0 }
  expect(daysOf(basesThatStay(nights, { keep, logDays: 2, now }))).toEqual([
    '2026-03-29',
    '2026-03-30',
    '2026-03-31',
  ])
  const old = [{ at: now - 900 * DAY }]
  expect(basesThatStay(old, { keep, logDays: 7, now }).size).toBe(1)
  expect(anchorOf([], { logDays: 7, now })).toBeNull()
})

test('places in the log and their segments are those of PostgreSQL', () => {
  // select pg_walfile_name('16/B374D848')
  expect(segmentAt(1, positionOfLsn('16/B374D848'))).toBe('0000000100000016000000B3')
  expect(lsnOf(positionOfLsn('16/B374D848'))).toBe('16/B374D848')
  expect(lsnOf(positionOfSegment('0000000100000016000000B3'))).toBe('16/B3000000')
})

const stretch = (start: number, end: number, covers: number | null, stream = '0a0b0c0d0e0f'): LogStretch => ({
  ...{ stream, segment: '000000010000000000000002', start, end, covers, sentAt: covers ?? now },
})
const from = positionOfSegment('000000010000000000000002')

test('a name says all of a stretch; other names are none', () => {
  for (const one of [stretch(0, 5, now), stretch(5, 16 * 1024 * 1024, null)]) {
    expect(stretchOf(stretchObject(one))).toEqual(one)
  }
  expect(stretchOf('log/0a0b0c0d0e0f/000000010000000000000002/notes.txt')).toBeNull()
})

test('the log is followed without a gap, in its stream, over what was sent twice, as far as it is asked for', () => {
  const parts = [stretch(0, 10, now), stretch(10, 20, now + 60_000), stretch(20, 30, now + 120_000)]
  const asked = { stream: '0a0b0c0d0e0f', from: from + 5 }
  expect(followed(parts, asked)).toEqual({ needed: parts, covers: now + 120_000 })
  expect(followed(parts, asked, now + 30_000).needed).toEqual(parts.slice(0, 2))
  const twice = [...parts.slice(0, 2), stretch(5, 18, null)]
  expect(followed(twice, asked).covers).toBe(now + 60_000)
  expect(followed([parts[0]!, parts[2]!], asked)).toEqual({ needed: [parts[0]], covers: now })
  expect(followed([parts[1]!, parts[2]!], asked)).toEqual({ needed: [], covers: null })
  expect(followed(parts, { ...asked, stream: 'ffffffffffff' })).toEqual({ needed: [], covers: null })
})
