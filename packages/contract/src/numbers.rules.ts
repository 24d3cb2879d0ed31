import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max'
import { digitsOf, isScientific, isSeveralNumbers, plainNumber } from './contacts.rules.ts'

export type { CountryCode }

/** Where a company did not choose another. */
export const USUAL_COUNTRY: CountryCode = 'BR'

/** A number in full. */
export interface Reading {
  /** With the country code. */
  digits: string
  /** Undefined for numbers of no single country. */
  country: CountryCode | undefined
}

/**
 * What a written number means: one number, two that are equally possible (the one at home first), one of an area that is not
 * named, or none that a numbering plan knows, which is kept as it is, since plans change.
 */
export type Meaning =
  | ({ kind: 'one' } & Reading)
  | { kind: 'two'; home: Reading; abroad: Reading }
  | { kind: 'local'; digits: string }
  | { kind: 'unknown'; digits: string }

/**
 * Reads a number as people write it. With `+`, `(+` or `00` the country is stated. With an area code in parentheses or after a 0
 * (also with the code of an operator, as 0xx11) it is a number at home. Otherwise it is one at home, or one that begins with
 * its country code. `only` names the country of the number, where it is known.
 */
export function readNumber(given: string, home: CountryCode, only?: CountryCode): Meaning {
  const written = plainNumber(given)
  const digits = written.replace(/\D/g, '')
  if (isStated(written)) {
    const abroad = digits.replace(EXIT_CODE, '')
    return oneOf(international(abroad), abroad)
  }
  const isAtHome = written.trim().startsWith('(') || digits.startsWith('0')
  const found = [national(digits, only ?? home), isAtHome ? null : international(digits)]
  const [one, other] = found.filter(reading => reading !== null && (!only || isOf(reading, only)))
  return one && other && one.digits !== other.digits
    ? { kind: 'two', home: one, abroad: other }
    : oneOf(one ?? null, digits, (only ?? home) === 'BR' && LOCAL.test(digits) ? 'local' : 'unknown')
}

/** In Brazil, a number as it is dialled within its area. */
const LOCAL = /^(?:[2-5]\d{7}|9?[6-9]\d{7})$/

/** Why what was written cannot be a number that somebody is reached by. */
export type NumberFault = keyof typeof numberFaults
export const numberFaults = {
  scientific: 'In scientific notation',
  zeros: 'Only zeros',
  short: 'Too Short!',
  several: 'More than one number',
  long: 'Too Long!',
  area: 'Without area code',
} as const

/** Digits of a number with its country code (E.164). */
const MOST_DIGITS = 15

/** The same in dialogs, sheets, campaigns and the public API. Digits that are lost or not written are not guessed. */
export function numberFault(written: string, meaning: Meaning): NumberFault | null {
  const digits = digitsOf(plainNumber(written))
  if (isScientific(written)) return 'scientific'
  if (digits !== '' && /^0+$/.test(digits)) return 'zeros'
  if (digits.length < 8) return 'short'
  if (isSeveralNumbers(written)) return 'several'
  if (meaning.kind === 'local') return 'area'
  return meaning.kind !== 'two' && meaning.digits.length > MOST_DIGITS ? 'long' : null
}

/**
 * The digits in full of a number about which no user is asked again, such as one's own: of two readings the one at home, and
 * one that no plan knows where it has its country. Null where it is none.
 */
export function wholeNumber(written: string, home: CountryCode): string | null {
  const meaning = readNumber(written, home)
  if (numberFault(written, meaning)) return null
  if (meaning.kind === 'two') return meaning.home.digits
  return meaning.kind === 'one' || /^\d{12,13}$/.test(meaning.digits) ? meaning.digits : null
}

/** What one dials to leave a country. A country code never begins with 0. */
const EXIT_CODE = /^00(?=[1-9])/

const isStated = (written: string) =>
  /^\s*(?:\(\s*)?\+/.test(written) || EXIT_CODE.test(written.replace(/\D/g, ''))

/** What was written, as it is sent: read again it means the same, and its country stays stated. */
export function asRead(written: string, meaning: Meaning): string {
  if (meaning.kind === 'two') return written.replace(/\D/g, '')
  return meaning.kind === 'one' || isStated(written) ? `+${meaning.digits}` : meaning.digits
}

const oneOf = (reading: Reading | null, digits: string, kind: 'local' | 'unknown' = 'unknown'): Meaning =>
  reading ? { kind: 'one', ...reading } : { kind, digits }

const isOf = ({ digits, country }: Reading | { digits: string; country: undefined }, only: CountryCode) =>
  country === only || digits.startsWith(getCountryCallingCode(only))

function international(digits: string): Reading | null {
  const parsed = parsePhoneNumberFromString(`+${digits}`)
  if (parsed?.isValid()) return { digits: parsed.number.slice(1), country: parsed.country }
  return /^55/.test(digits) ? withoutNinthDigit(digits.slice(2)) : null
}

function national(digits: string, country: CountryCode): Reading | null {
  const parsed = parsePhoneNumberFromString(digits, country)
  if (parsed?.isValid()) return { digits: parsed.number.slice(1), country: parsed.country }
  return country === 'BR' ? withoutNinthDigit(digits) : null
}

/** A Brazilian mobile as before 2012, as WhatsApp still writes many; the digits stay (phoneKey matches both). */
function withoutNinthDigit(digits: string): Reading | null {
  const [, area, rest] = /^(?:0(?:\d\d)?)?([1-9]\d)([6-9]\d{7})$/.exec(digits) ?? []
  const isMobile = area && parsePhoneNumberFromString(`+55${area}9${rest}`)?.isValid()
  return isMobile ? { digits: `55${area}${rest}`, country: 'BR' } : null
}

/** The two numbers of an ambiguous one, as an error names them. */
export const bothReadings = ({ home, abroad }: { home: Reading; abroad: Reading }) =>
  [home, abroad].map(({ digits, country }) => `+${digits}${country ? ` (${country})` : ''}`).join(', ')

/** Every country with its calling code. */
export const phoneCountries = (): [CountryCode, string][] =>
  getCountries().map(country => [country, getCountryCallingCode(country)])

export const isCountry = (code: string): code is CountryCode => isSupportedCountry(code)
