import type { FoundPostalCode } from '@balcao/contract/companies.ts'
import { z } from 'zod'
import type { Platform } from '../../platform/app.ts'
import { lookupOf } from './companies.lookup.client.ts'

const text = z.string().max(150).nullish()

/** The formats in use: ViaCEP, BrasilAPI, and the documents' own. */
const Found = z
  .object({ logradouro: text, bairro: text, localidade: text, uf: text })
  .extend({ street: text, neighborhood: text, district: text, city: text, state: text })
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
  isNotFound: answer => 'erro' in answer,
  isComplete: ({ city }) => city !== '',
  refusals: {
    service: 'ERR_NO_POSTAL_CODE_SERVICE',
    found: 'ERR_NO_POSTAL_CODE_FOUND',
    search: 'ERR_POSTAL_CODE_SEARCH',
  },
  field: 'cep',
})

/**
 * The address of a postal code. Refuses with ERR_NO_POSTAL_CODE_SERVICE without a configured service, with
 * ERR_NO_POSTAL_CODE_FOUND where it is unknown, and with ERR_POSTAL_CODE_SEARCH where the service fails.
 */
export const findPostalCode = (platform: Platform, cep: string): Promise<FoundPostalCode> =>
  lookup(platform, platform.config.cepUrl, cep)
