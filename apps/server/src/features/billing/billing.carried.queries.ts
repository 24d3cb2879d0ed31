import { type Carried, leftBehind } from '../../platform/postgres/transfer/carried.ts'

export const carriedOfBilling: Carried[] = [
  leftBehind(
    'plan_orders',
    'for a plan that is on sale at the other installation; its invoice can be paid here',
  ),
]
