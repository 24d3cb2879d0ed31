import { expect, test } from 'vitest'
import { type GraphStatus, statusEvents } from './statuses.ts'

const seconds = (ms: number) => `${Math.floor(ms / 1000)}`

test('a late status of an earlier try does not count for the one under way', () => {
  const askedAt = Date.now() - 1_000
  const names = {
    ours: (wamid: string) => wamid,
    isOurs: () => false,
    isOfCompany: () => false,
    theirs: () => undefined,
    askedAt: () => askedAt,
  }
  const read = (status: GraphStatus) => {
    const found = { named: [], prices: [] }
    const events = statusEvents({ recipient_id: '5511970000001', ...status }, names, found)
    return { events: events?.length, named: found.named }
  }
  const of = { id: 'wamid.1', biz_opaque_callback_data: 'ours' }
  for (const status of ['sent', 'failed'])
    expect(read({ ...of, status, timestamp: seconds(askedAt - 60_000) })).toEqual({ events: 0, named: [] })
  expect(read({ ...of, id: 'wamid.2', status: 'sent', timestamp: seconds(askedAt) })).toEqual({
    events: 1,
    named: [{ externalId: 'ours', wamid: 'wamid.2' }],
  })
})
