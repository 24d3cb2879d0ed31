import { expect, test } from 'vitest'
import { isHalfDone } from './upgrade-backup.ts'

const begun = { file: 'before-2.zip', pending: ['1_a', '2_b'] }

test.each([
  ['none was begun', null, ['1_a', '2_b'], false],
  ['nothing of it was applied: an older version may have written since', begun, ['1_a', '2_b'], false],
  ['it was broken off between two migrations', begun, ['2_b'], true],
  ['it came to its end, and this is the next one', begun, ['3_c'], false],
  ['a newer version goes on with it', begun, ['2_b', '3_c'], false],
])(
  'whether an upgrade is under way, of which the backup stays the way back, where %s',
  (_when, before, pending, underWay) => {
    expect(isHalfDone(before, pending)).toBe(underWay)
  },
)
