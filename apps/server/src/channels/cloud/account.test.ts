import { expect, test } from 'vitest'
import { RECONNECTED } from './account.ts'
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
    account: ['account_update', RECONNECTED],
  })
  expect(read({ event: 'VERIFIED_ACCOUNT' })).toMatchObject({ strange: [], account: ['account_update'] })
})

test('a call is a row when it has ended: missed, or taken with its length', () => {
  const call = { id: 'wacid.1', from: '5571999990000', timestamp: '1700000000', direction: 'USER_INITIATED' }
  const incoming = (more: object) =>
    translateChanges([{ field: 'calls', value: { calls: [{ ...call, ...more }] } }], names)
  const row = { kind: 'message', externalId: 'wacid.1', fromMe: false, mediaType: 'call_log', at }
  expect(incoming({ event: 'connect' })).toMatchObject({ incoming: [], strange: [], account: [] })
  expect(incoming({ event: 'terminate', status: 'COMPLETED', duration: 95 }).incoming).toMatchObject([
    { ...row, data: { isVideo: false, outcome: 'taken', seconds: 95 } },
  ])
  expect(incoming({ event: 'terminate', status: 'FAILED' }).incoming).toMatchObject([
    { ...row, data: { outcome: 'missed', seconds: null } },
  ])
  const ours = { direction: 'BUSINESS_INITIATED', from: '551130000001', to: '5571999990000' }
  expect(incoming({ ...ours, event: 'terminate', duration: '7' }).incoming).toMatchObject([
    { fromMe: true, chat: { value: '5571999990000' }, data: { seconds: 7 } },
  ])
  expect(incoming({ id: 5 }).strange).toHaveLength(1)
})
