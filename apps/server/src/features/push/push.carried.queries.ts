import { type Carried, leftBehind } from '../../platform/postgres/transfer/carried.ts'

export const carriedOfPush: Carried[] = [
  leftBehind('push_keys', 'they are of the installation'),
  leftBehind('push_subscriptions', 'they are of sessions and keys of the other installation'),
  leftBehind('push_deliveries', "they were the other installation's to deliver"),
]
