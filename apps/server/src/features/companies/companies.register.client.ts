import type { FoundCnpj } from '@balcao/contract/companies.ts'
import { z } from 'zod'
import type { Platform } from '../../platform/app.ts'
import { lookupOf } from './companies.lookup.client.ts'

const text = z.string().max(300).nullish()

/** The formats in use: ReceitaWS, which is the documents' own, and BrasilAPI. */
const Found = z
  .object({ nome: text, fantasia: text, cep: text.or(z.number()), logradouro: text, numero: text })
  .extend({ complemento: text, bairro: text, municipio: text, uf: text })
  .extend({ razao_social: text, nome_fantasia: text })
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
  isNotFound: answer => 'status' in answer && answer.status === 'ERROR',
  isComplete: ({ nome }) => nome !== '',
  refusals: { service: 'ERR_NO_CNPJ_SERVICE', found: 'ERR_NO_CNPJ_FOUND', search: 'ERR_CNPJ_SEARCH' },
  field: 'cnpj',
})

/**
 * The register entry of a CNPJ. Refuses with ERR_NO_CNPJ_SERVICE without a configured service, with ERR_NO_CNPJ_FOUND where
 * it is unknown, and with ERR_CNPJ_SEARCH where the service fails.
 */
export const findCnpj = (platform: Platform, cnpj: string): Promise<FoundCnpj> =>
  lookup(platform, platform.config.cnpjUrl, cnpj)
