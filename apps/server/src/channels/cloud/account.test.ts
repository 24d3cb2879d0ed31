import { expect, test } from 'vitest'
import { translateChanges } from './translate.ts'

const names = {
  ours: (wamid: string) => wamid,
  isOurs: () => false,
  isOfCompany: () => false,
  askedAt: () => undefined,
  theirs: () => undefined,
}
/** What is read of an `account_update`, and what is kept raw. */
const read = (value: object) =>
  translateChanges([{ field: 'account_update', time: 1_700_000_000, value }], names)
const at = '2023-11-14T22:13:20.000Z'
const restrictions = [{ restriction_type: 'RESTRICTED_ADD_PHONE_NUMBER_ACTION', expiration: 1_800_000_000 }]

test('news of an account that tells several things is read for each of them', () => {
  const told = read({
    event: 'ACCOUNT_RESTRICTION',
    restriction_info: restrictions,
    violation_info: { violation_type: 'SPAM' },
    ban_info: { waba_ban_state: 'DISABLE', waba_ban_date: 'October 2, 2026' },
  })
  expect(told.standing).toEqual([
    { banState: 'DISABLE', banDate: 'October 2, 2026', banAt: at },
    {
      restrictions: [{ type: 'RESTRICTED_ADD_PHONE_NUMBER_ACTION', until: '2027-01-15T08:00:00.000Z' }],
      restrictedAt: at,
    },
    { violation: 'SPAM', violatedAt: at },
  ])
  expect(told.strange).toEqual([])
})

test.each([
  ['a ban', { ban_info: { waba_ban_state: { state: 'DISABLE' } } }],
  ['a ban in a word that is not known', { ban_info: { waba_ban_state: 'SUSPEND' } }],
  ['a restriction', { restriction_info: 'all' }],
  ['a violation', { violation_info: { violation_type: 7 } }],
])('%s in another shape is kept raw', (_, told) => {
  const { standing, strange } = read({ event: 'DISABLED_UPDATE', ...told })
  expect(standing).toEqual([])
  expect(strange).toEqual([expect.stringContaining(Object.keys(told)[0]!)])
})

test('news that are asked for again instead are not kept', () => {
  expect(read({ event: 'PARTNER_ADDED' })).toMatchObject({
    standing: [],
    strange: [],
    account: ['account_update'],
  })
})
