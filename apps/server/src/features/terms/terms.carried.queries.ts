import { type Carried, leftBehind } from '../../platform/postgres/transfer/carried.ts'

export const carriedOfTerms: Carried[] = [
  leftBehind('terms_acceptances', 'of the terms of the other operator'),
]
