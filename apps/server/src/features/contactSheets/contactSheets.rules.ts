import { joined, type Layout, parted } from '@balcao/contract/contactSheets.rules.ts'
import type { RowFault, SheetColumns, SheetRow, TwoReadings } from '@balcao/contract/contactSheets.ts'
import { digitsOf, phoneKey } from '@balcao/contract/contacts.rules.ts'
import { cut } from '@balcao/contract/cut.rules.ts'
import { bothReadings, type CountryCode, numberFault, readNumber } from '@balcao/contract/numbers.rules.ts'
import { folded } from '@balcao/contract/words.rules.ts'

export interface ReadRow {
  name: string
  number: string
  email: string
  key: string
  state: SheetRow['state']
  fault: RowFault | null
  more: MoreOfRow | null
}

/** What an export writes beside name, number and e-mail. */
export interface MoreOfRow {
  lid: string
  categories: string[]
  extraInfo: { name: string; value: string }[]
  /** Whose customer it becomes. */
  ownerId?: number
}

/** Users by their e-mails and names, as written in a cell; two of one name are named by their e-mails. */
export type Owners = ReadonlyMap<string, number>

export function ownersBy(users: { id: number; name: string; email: string }[]): Owners {
  const byName = Map.groupBy(users, ({ name }) => folded(name.trim()))
  const single = [...byName].flatMap(([name, those]) =>
    those.length === 1 ? [[name, those[0]!.id] as const] : [],
  )
  return new Map([...single, ...users.map(({ id, email }) => [folded(email), id] as const)])
}

/** How rows are read: the company's country, and what happens to numbers that could be abroad as well. */
export interface NumberReading {
  country: CountryCode
  twoReadings: TwoReadings
  layout?: Layout
  owners?: Owners
}

export function readRow(cells: string[], columns: SheetColumns, reading: NumberReading): ReadRow {
  const cell = (column: number | null) => (column === null ? '' : (cells[column]?.trim() ?? ''))
  const { names = [], numbers = [], own } = reading.layout ?? {}
  // Google writes several numbers of one kind into one cell
  const given = [columns.number, ...numbers].map(cell).find(Boolean)?.split(' ::: ')[0] ?? ''
  const { number, fault: noNumber } = numberIn(given, reading)
  const owner = folded(cell(columns.owner ?? null))
  const ownerId = reading.owners?.get(owner)
  const beside = own ? moreIn(cell, own) : null
  const more = ownerId === undefined ? beside : { ...NO_MORE, ...beside, ownerId }
  const lid = given === '' ? (more?.lid ?? '') : ''
  const name =
    names.map(cell).filter(Boolean).join(' ') || cell(columns.name) || (lid ? 'WhatsApp' : `+${number}`)
  const email = cell(columns.email).split(' ::: ')[0]!.toLowerCase()
  const ownerFault = owner === '' || ownerId !== undefined ? null : 'owner'
  const fault = (lid ? null : noNumber) ?? nameFault(name) ?? (isEmail(email) ? null : 'email') ?? ownerFault
  const row = { name: cut(name, 50), email, state: fault ? 'refused' : 'fresh', fault, more } as const
  if (lid) return { ...row, number: '', key: keyOfLid(lid) }
  return noNumber
    ? // as entered: its digits alone could be another number
      { ...row, number: cut(given, 60), key: '' }
    : { ...row, number, key: phoneKey(number) }
}

const NO_MORE: MoreOfRow = { lid: '', categories: [], extraInfo: [] }

/** The key of a contact whose number is unknown, among those of numbers. */
const keyOfLid = (lid: string) => `@${lid}`

/** As in the shape of a contact. */
const MOST_FIELDS = 50

function moreIn(cell: (column: number | null) => string, own: Layout['own']): MoreOfRow | null {
  const lid = /^\d{5,30}$/.exec(cell(own.lid))?.[0] ?? ''
  const categories = parted(cell(own.categories), ',')
  const fields = parted(cell(own.extraInfo), ';')
  const extraInfo = fields.flatMap((field, at) => {
    const [name = '', ...value] = parted(field, ':')
    return name.trim() && at < MOST_FIELDS
      ? [{ name: cut(name.trim(), 100), value: cut(value.join(':'), 1_000) }]
      : []
  })
  const isNone = !lid && categories.length === 0 && extraInfo.length === 0
  return isNone ? null : { lid, categories, extraInfo }
}

/** As `moreIn` reads it. */
export const fieldsInCell = (extraInfo: MoreOfRow['extraInfo']) =>
  joined(
    extraInfo.map(({ name, value }) => joined([name, value], ':')),
    ';',
  )

/** How an export writes a number: with + where its digits alone would be read otherwise. */
export function numberInCell(number: string, country: CountryCode): string {
  const meaning = readNumber(number, country)
  const isSame = !numberFault(number, meaning) && meaning.kind !== 'two' && meaning.digits === number
  return number === '' || isSame ? number : `+${number}`
}

function numberIn(given: string, { country, twoReadings }: NumberReading): Pick<ReadRow, 'number' | 'fault'> {
  const meaning = readNumber(given, country)
  const fault = numberFault(given, meaning)
  if (fault) return { number: digitsOf(given), fault }
  if (meaning.kind !== 'two') return { number: meaning.digits, fault: null }
  return twoReadings === 'refuse'
    ? { number: digitsOf(given), fault: 'ambiguous' }
    : { number: meaning[twoReadings].digits, fault: null }
}

/** The two numbers that a cell could mean; empty where it means one. */
export function readingsOf(given: string, country: CountryCode): string {
  const meaning = readNumber(given, country)
  return meaning.kind === 'two' ? bothReadings(meaning) : ''
}

const nameFault = (name: string): RowFault | null => (name.length < 2 ? 'name' : null)

const isEmail = (email: string) =>
  email === '' || (email.length <= 200 && /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(email))
