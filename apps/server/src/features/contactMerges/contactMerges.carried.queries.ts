import { type Carried, leftBehind } from '../../platform/postgres/transfer/carried.ts'

export const carriedOfContactMerges: Carried[] = [
  leftBehind('contact_merges', 'a merge can be undone for hours only'),
]
