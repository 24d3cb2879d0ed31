import type { FoundPostalCode } from '@balcao/contract/companies.ts'
import { z } from 'zod'
import type { Platform } from '../../platform/app.ts'
import { lookupOf } from './companies.lookup.ts'

const word = z.string().max(150).nullish()

/** What the services in use answer: the keys of ViaCEP, of BrasilAPI, and the documents' own. */
const Found = z
  .object({ logradouro: word, bairro: word, localidade: word, uf: word })
  .extend({ street: word, neighborhood: word, district: word, city: word, state: word })
  .transform(found => ({
    street: found.street || found.logradouro || '',
    district: found.district || found.neighborhood || found.bairro || '',
    city: found.city || found.localidade || '',
    state: found.state || found.uf || '',
    country: 'Brasil',
  }))

const lookup = lookupOf<FoundPostalCode>({
  of: 'the postal code search',
  shape: Found,
  // ViaCEP answers 200 to a postal code that it does not know
  saysNothing: said => 'erro' in said,
  isFull: ({ city }) => city !== '',
  refusals: {
    service: 'ERR_NO_POSTAL_CODE_SERVICE',
    found: 'ERR_NO_POSTAL_CODE_FOUND',
    search: 'ERR_POSTAL_CODE_SEARCH',
  },
  field: 'cep',
})

/**
 * Where a postal code is. Refuses with ERR_NO_POSTAL_CODE_SERVICE where the operator named no service, with
 * ERR_NO_POSTAL_CODE_FOUND where it knows none, and with ERR_POSTAL_CODE_SEARCH where it does not answer in time or not in words
 * that we know.
 */
export const findPostalCode = (platform: Platform, cep: string): Promise<FoundPostalCode> =>
  lookup(platform, platform.config.cepUrl, cep)
