import { numberFault } from '@balcao/contract/contactSheets.rules.ts'
import type { RowFault, SheetColumns, SheetRow } from '@balcao/contract/contactSheets.ts'
import { phoneKey, withCountry } from '@balcao/contract/contacts.rules.ts'
import { cut } from '@balcao/contract/cut.rules.ts'
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'

/** The country of numbers without a country code. */
const USUAL = 'BR'

export interface ReadRow {
  name: string
  number: string
  email: string
  key: string
  state: SheetRow['state']
  fault: RowFault | null
}

export function readRow(cells: string[], columns: SheetColumns): ReadRow {
  const cell = (column: number | null) => (column === null ? '' : (cells[column]?.trim() ?? ''))
  const given = cell(columns.number)
  const number = withCountry(given, usual)
  const name = cell(columns.name) || `+${number}`
  const email = cell(columns.email)
  const noNumber = numberFault(given, number)
  const fault = noNumber ?? nameFault(name) ?? (isEmail(email) ? null : 'email')
  const row = { name: cut(name, 50), email, state: fault ? 'refused' : 'fresh', fault } as const
  return noNumber
    ? // as entered: its digits alone could be another number
      { ...row, number: cut(given, 60), key: '' }
    : { ...row, number, key: phoneKey(number) }
}

/** With the usual country code; null where it is not a number of that country. */
function usual(digits: string): string | null {
  const parsed = parsePhoneNumberFromString(digits, USUAL)
  return parsed?.isValid() ? parsed.number.slice(1) : null
}

const nameFault = (name: string): RowFault | null => (name.length < 2 ? 'name' : null)

const isEmail = (email: string) =>
  email === '' || (email.length <= 200 && /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(email))
