import { numberFault } from '@balcao/contract/contactSheets.rules.ts'
import type { RowFault, SheetColumns, SheetRow, TwoReadings } from '@balcao/contract/contactSheets.ts'
import { digitsOf, isScientific, phoneKey } from '@balcao/contract/contacts.rules.ts'
import { cut } from '@balcao/contract/cut.rules.ts'
import { bothReadings, type CountryCode, readNumber } from '@balcao/contract/numbers.rules.ts'

export interface ReadRow {
  name: string
  number: string
  email: string
  key: string
  state: SheetRow['state']
  fault: RowFault | null
}

/** How numbers are read: the company's country, and what happens to those that could be abroad as well. */
export interface NumberReading {
  country: CountryCode
  twoReadings: TwoReadings
}

export function readRow(cells: string[], columns: SheetColumns, reading: NumberReading): ReadRow {
  const cell = (column: number | null) => (column === null ? '' : (cells[column]?.trim() ?? ''))
  const given = cell(columns.number)
  const { number, isDoubtful } = numberIn(given, reading)
  const name = cell(columns.name) || `+${number}`
  const email = cell(columns.email)
  const noNumber = numberFault(given, number) ?? (isDoubtful ? 'ambiguous' : null)
  const fault = noNumber ?? nameFault(name) ?? (isEmail(email) ? null : 'email')
  const row = { name: cut(name, 50), email, state: fault ? 'refused' : 'fresh', fault } as const
  return noNumber
    ? // as entered: its digits alone could be another number
      { ...row, number: cut(given, 60), key: '' }
    : { ...row, number, key: phoneKey(number) }
}

function numberIn(given: string, { country, twoReadings }: NumberReading) {
  if (isScientific(given)) return { number: digitsOf(given), isDoubtful: false }
  const meaning = readNumber(given, country)
  if (meaning.kind !== 'two') return { number: meaning.digits, isDoubtful: false }
  return twoReadings === 'refuse'
    ? { number: digitsOf(given), isDoubtful: true }
    : { number: meaning[twoReadings].digits, isDoubtful: false }
}

/** The two numbers that a cell could mean; empty where it means one. */
export function readingsOf(given: string, country: CountryCode): string {
  const meaning = readNumber(given, country)
  return meaning.kind === 'two' ? bothReadings(meaning) : ''
}

const nameFault = (name: string): RowFault | null => (name.length < 2 ? 'name' : null)

const isEmail = (email: string) =>
  email === '' || (email.length <= 200 && /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(email))
