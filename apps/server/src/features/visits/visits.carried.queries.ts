import { type Carried, leftBehind } from '../../platform/postgres/transfer/carried.ts'

export const carriedOfVisits: Carried[] = [
  leftBehind('visits', 'by people of the other installation'),
  leftBehind('visit_looks', 'by people of the other installation'),
]
