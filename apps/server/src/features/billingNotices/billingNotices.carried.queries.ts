import { type Carried, carried } from '../../platform/postgres/transfer/carried.ts'

export const carriedOfBillingNotices: Carried[] = [
  carried('billing_notices', {
    refers: { contact_id: 'notification_contacts' },
    set: {
      centre_id: 'null',
      state: `case when r.state in ('waiting', 'leaving') then 'dropped' else r.state end`,
    },
  }),
]
