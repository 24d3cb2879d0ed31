import { type Carried, carried } from '../../platform/postgres/transfer/carried.ts'

export const carriedOfSubscriptions: Carried[] = [
  carried('subscriptions', {
    plain: ['ended_by'],
  }),
  carried('subscription_pauses', {
    plain: ['recorded_by'],
  }),
  carried('plan_changes', {
    plain: ['terms'],
  }),
  carried('discounts', {
    // coupons are of the other operator
    set: { coupon_id: 'null' },
    plain: ['recorded_by'],
  }),
  carried('readjustments', {
    plain: ['recorded_by'],
  }),
  carried('plan_prices', {
    after: ['plans'],
  }),
]
