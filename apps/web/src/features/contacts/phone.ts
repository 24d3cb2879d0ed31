import { withCountry } from '@balcao/contract/contacts.rules.ts'
import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** Where most of those who use this write from: numbers without a country are tried there, never changed. */
const USUAL: CountryCode = 'BR'

/** A number as people write it, with its country; as it stands where no country has such numbers. */
export function readable(number: string): string {
  const parsed = number && parsePhoneNumberFromString(`+${number}`)
  return parsed ? parsed.formatInternational() : number
}

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

/** What a typed number looks like. It explains and refuses nothing: new numbering plans are older than any library. */
export function explain(typed: string): Explained | null {
  const digits = typed.replace(/\D/g, '')
  if (digits.length < 8) return null
  const abroad = parsePhoneNumberFromString(`+${digits}`)
  if (abroad?.isValid()) return told('known', abroad)
  const athome = parsePhoneNumberFromString(digits, USUAL)
  if (athome?.isValid()) return told('withoutCountry', athome)
  return { kind: 'unusual', text: abroad?.formatInternational() ?? digits, digits, country: abroad?.country }
}

type Parsed = NonNullable<ReturnType<typeof parsePhoneNumberFromString>>

const told = (kind: Explained['kind'], parsed: Parsed): Explained => ({
  kind,
  text: parsed.formatInternational(),
  digits: parsed.number.slice(1),
  country: parsed.country,
})
