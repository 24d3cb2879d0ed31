import { expect, test } from 'vitest'
import { isBackupDue } from './nightly.ts'

test.each([
  ['there is none', null, '2026-03-02T14:23:00Z', true],
  [
    'it is night, and the newest is of the night before',
    '2026-03-01T05:23:00Z',
    '2026-03-02T05:23:00Z',
    true,
  ],
  ['the night has its backup', '2026-03-02T05:23:00Z', '2026-03-02T06:23:00Z', false],
  ['the first one was made by day', '2026-03-01T14:23:00Z', '2026-03-02T05:23:00Z', true],
  ['one was made in the evening', '2026-03-01T20:23:00Z', '2026-03-02T05:23:00Z', false],
  ['a night was missed', '2026-03-01T05:23:00Z', '2026-03-02T07:23:00Z', true],
])('whether a backup is due when %s', (_when, newest, now, due) => {
  expect(isBackupDue(Date.parse(now), newest === null ? null : Date.parse(newest))).toBe(due)
})
