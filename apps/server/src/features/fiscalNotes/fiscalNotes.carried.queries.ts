import { type Carried, leftBehind } from '../../platform/postgres/transfer/carried.ts'

export const carriedOfFiscalNotes: Carried[] = [
  leftBehind('fiscal_notes', 'of the other operator, whose provider has them'),
]
