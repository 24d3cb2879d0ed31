import { type Carried, carried } from '../../platform/postgres/transfer/carried.ts'

export const carriedOfSubscriptions: Carried[] = [
  carried('subscription_pauses', {
    plain: ['recorded_by'],
  }),
  carried('plan_changes', {
    plain: ['terms'],
  }),
  carried('plan_prices', {
    after: ['plans'],
  }),
]
