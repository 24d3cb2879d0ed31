import { type Carried, leftBehind } from '../../platform/postgres/transfer/carried.ts'

export const carriedOfCollectors: Carried[] = [leftBehind('collectors', 'accounts of the other operator')]
