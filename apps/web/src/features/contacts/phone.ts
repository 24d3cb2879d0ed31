import { withCountry } from '@balcao/contract/contacts.rules.ts'
import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { phoneText } from '../../platform/phone.ts'

/** The most common country: numbers without a country code are tried there, never changed. */
const USUAL: CountryCode = 'BR'

/** The digits under which the server keeps a number. */
export const keptDigits = (given: string) =>
  withCountry(given, digits => {
    const parsed = parsePhoneNumberFromString(digits, USUAL)
    return parsed?.isValid() ? parsed.number.slice(1) : null
  })

export interface Explained {
  kind: 'known' | 'withoutCountry' | 'unusual'
  /** With its country, as people write it. */
  text: string
  /** Digits with the country. */
  digits: string
  country: CountryCode | undefined
}

/** Explains a typed number and refuses none: a numbering plan may be newer than the library. */
export function explain(typed: string): Explained | null {
  const digits = typed.replace(/\D/g, '')
  if (digits.length < 8) return null
  const abroad = parsePhoneNumberFromString(`+${digits}`)
  if (abroad?.isValid()) return explained('known', abroad)
  const athome = parsePhoneNumberFromString(digits, USUAL)
  if (athome?.isValid()) return explained('withoutCountry', athome)
  return { kind: 'unusual', text: phoneText(digits), digits, country: abroad?.country }
}

type Parsed = NonNullable<ReturnType<typeof parsePhoneNumberFromString>>

const explained = (kind: Explained['kind'], parsed: Parsed): Explained => ({
  kind,
  text: phoneText(parsed.number.slice(1)),
  digits: parsed.number.slice(1),
  country: parsed.country,
})
