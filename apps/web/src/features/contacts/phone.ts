import {
  asRead,
  type CountryCode,
  isCountry,
  readNumber,
  USUAL_COUNTRY,
} from '@balcao/contract/numbers.rules.ts'

/** The country in which a company's numbers are read. */
export const homeOf = ({ phoneCountry }: { phoneCountry: string }): CountryCode =>
  isCountry(phoneCountry) ? phoneCountry : USUAL_COUNTRY

/** The number that is meant, as it is sent: its digits and its country. What could be two numbers is sent as it is written. */
export function numberToSend(written: string, home: CountryCode): { number: string; country?: string } {
  const meaning = readNumber(written, home)
  return meaning.kind === 'one' && meaning.country
    ? { number: meaning.digits, country: meaning.country }
    : { number: asRead(written, meaning) }
}
