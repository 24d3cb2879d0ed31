import { type Carried, carried } from '../../platform/postgres/transfer/carried.ts'

export const carriedOfReferrals: Carried[] = [
  carried('ticket_referrals', {
    plain: ['key', 'source_id'],
  }),
]
