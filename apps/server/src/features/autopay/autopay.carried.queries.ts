import { type Carried, leftBehind } from '../../platform/postgres/transfer/carried.ts'

export const carriedOfAutopay: Carried[] = [
  leftBehind('autopay_ways', 'authorized at the provider of the other operator'),
]
