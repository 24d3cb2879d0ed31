import { type Carried, leftBehind } from '../../platform/postgres/transfer/carried.ts'

export const carriedOfAssignment: Carried[] = [
  leftBehind('assignment_wakes', 'each queue looks for itself after an import'),
]
