import {
  bothReadings,
  isCountry,
  numberFault,
  numberFaults,
  readNumber,
} from '@balcao/contract/numbers.rules.ts'
import { refuse } from '../../platform/errors.ts'
import type { Tx } from '../../platform/scope.ts'
import { phoneCountryOf } from '../companies/companies.queries.ts'

/**
 * The number that is meant, with its country code. Refuses with ERR_NUMBER_AMBIGUOUS, which names both, where it could be one
 * of the company's country and one abroad, and with ERR_BAD_REQUEST where `country` is none
 * or the number cannot be one (`numberFault`).
 */
export async function numberMeant(tx: Tx, written: string, country?: string): Promise<string> {
  if (country !== undefined && !isCountry(country))
    return refuse('ERR_BAD_REQUEST', { field: 'country', message: 'No such country' })
  const meaning = readNumber(written, await phoneCountryOf(tx), country)
  const fault = numberFault(written, meaning)
  if (fault) return refuse('ERR_BAD_REQUEST', { field: 'number', message: numberFaults[fault] })
  if (meaning.kind !== 'two') return meaning.digits
  const { home, abroad } = meaning
  return refuse('ERR_NUMBER_AMBIGUOUS', {
    field: 'number',
    message: `Could be ${bothReadings(meaning)}: write it with +, or name its country`,
    details: { numbers: [home.digits, abroad.digits] },
  })
}
