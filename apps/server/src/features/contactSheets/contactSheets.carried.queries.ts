import { type Carried, leftBehind } from '../../platform/postgres/transfer/carried.ts'

export const carriedOfContactSheets: Carried[] = [
  leftBehind('contact_sheets', 'a sheet is read anew'),
  leftBehind('contact_sheet_rows', 'a sheet is read anew'),
]
