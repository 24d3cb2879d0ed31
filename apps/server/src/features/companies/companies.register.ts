import type { FoundCnpj } from '@balcao/contract/companies.ts'
import { z } from 'zod'
import type { Platform } from '../../platform/app.ts'
import { lookupOf } from './companies.lookup.ts'

const word = z.string().max(300).nullish()

/** What the services in use answer: the documents' own keys, which are ReceitaWS', and those of BrasilAPI. */
const Found = z
  .object({ nome: word, fantasia: word, cep: word.or(z.number()), logradouro: word, numero: word })
  .extend({ complemento: word, bairro: word, municipio: word, uf: word })
  .extend({ razao_social: word, nome_fantasia: word })
  .transform(found => ({
    nome: found.nome || found.razao_social || '',
    fantasia: found.fantasia || found.nome_fantasia || '',
    cep: String(found.cep ?? '').replace(/\D/g, ''),
    logradouro: found.logradouro ?? '',
    numero: found.numero ?? '',
    complemento: found.complemento ?? '',
    bairro: found.bairro ?? '',
    municipio: found.municipio ?? '',
    uf: found.uf ?? '',
  }))

const lookup = lookupOf<FoundCnpj>({
  of: 'the register of companies',
  shape: Found,
  // ReceitaWS answers 200 to a number that it does not know
  saysNothing: said => 'status' in said && said.status === 'ERROR',
  isFull: ({ nome }) => nome !== '',
  refusals: { service: 'ERR_NO_CNPJ_SERVICE', found: 'ERR_NO_CNPJ_FOUND', search: 'ERR_CNPJ_SEARCH' },
  field: 'cnpj',
})

/**
 * What the register says of a CNPJ. Refuses with ERR_NO_CNPJ_SERVICE where the operator named no service, with
 * ERR_NO_CNPJ_FOUND where it knows none, and with ERR_CNPJ_SEARCH where it does not answer in time or not in words that we
 * know.
 */
export const findCnpj = (platform: Platform, cnpj: string): Promise<FoundCnpj> =>
  lookup(platform, platform.config.cnpjUrl, cnpj)
