import { numberFault } from '@balcao/contract/contactSheets.rules.ts'
import type { RowFault, SheetColumns, SheetRow } from '@balcao/contract/contactSheets.ts'
import { phoneKey, withCountry } from '@balcao/contract/contacts.rules.ts'
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'

/** Where numbers are from that come without a country, as most lists of this product's companies do. */
const USUAL = 'BR'

export interface ReadRow {
  name: string
  number: string
  email: string
  key: string
  state: SheetRow['state']
  fault: RowFault | null
}

/** A row of a spreadsheet as a contact, or why it is none. */
export function readRow(cells: string[], columns: SheetColumns): ReadRow {
  const cell = (column: number | null) => (column === null ? '' : (cells[column]?.trim() ?? ''))
  const given = cell(columns.number)
  const number = withCountry(given, usual)
  const name = cell(columns.name) || `+${number}`
  const email = cell(columns.email)
  const noNumber = numberFault(given, number)
  const fault = noNumber ?? nameFault(name) ?? (isEmail(email) ? null : 'email')
  const row = { name: name.slice(0, 50), email, state: fault ? 'refused' : 'fresh', fault } as const
  return noNumber
    ? // as it was given: digits alone could be somebody's number
      { ...row, number: given.slice(0, 60), key: '' }
    : { ...row, number, key: phoneKey(number) }
}

/** As the usual country writes it; null where it is none of its numbers. */
function usual(digits: string): string | null {
  const parsed = parsePhoneNumberFromString(digits, USUAL)
  return parsed?.isValid() ? parsed.number.slice(1) : null
}

const nameFault = (name: string): RowFault | null => (name.length < 2 ? 'name' : null)

const isEmail = (email: string) =>
  email === '' || (email.length <= 200 && /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(email))
