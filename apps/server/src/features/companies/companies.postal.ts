import type { FoundPostalCode } from '@balcao/contract/companies.ts'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Platform } from '../../platform/app.ts'
import { refuse } from '../../platform/errors.ts'

const TIMEOUT_MS = 3_000
const MAX_BYTES = 64 * 1024
/** Streets move seldom, and the public services count their calls. */
const KEPT_MS = 30 * 24 * 60 * 60_000

const known = new LRUCache<string, FoundPostalCode>({ max: 5_000, ttl: KEPT_MS })

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

/**
 * Where a postal code is. Refuses with ERR_NO_POSTAL_CODE_SERVICE where the operator named no service, with
 * ERR_NO_POSTAL_CODE_FOUND where it knows none, and with ERR_POSTAL_CODE_SEARCH where it does not answer in time or not in words
 * that we know.
 */
export async function findPostalCode(platform: Platform, cep: string): Promise<FoundPostalCode> {
  const { cepUrl } = platform.config
  if (!cepUrl) return refuse('ERR_NO_POSTAL_CODE_SERVICE')
  const url = cepUrl.includes('{cep}') ? cepUrl.replaceAll('{cep}', cep) : `${cepUrl}/${cep}`
  const before = known.get(url)
  if (before) return before
  const found = await ask(platform, url)
  known.set(url, found)
  return found
}

async function ask({ outbound, log }: Platform, url: string): Promise<FoundPostalCode> {
  const given = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES }
  const answer = await outbound.fetchOutside(url, given).catch(error => {
    log.warn({ err: error }, 'the postal code search did not answer')
    return refuse('ERR_POSTAL_CODE_SEARCH')
  })
  if (answer.status === 404 || answer.status === 400)
    return refuse('ERR_NO_POSTAL_CODE_FOUND', { field: 'cep' })
  const said = answer.status === 200 ? readJson(answer.body) : null
  // ViaCEP answers 200 to a postal code that it does not know
  if (said && 'erro' in said) return refuse('ERR_NO_POSTAL_CODE_FOUND', { field: 'cep' })
  const found = Found.safeParse(said)
  if (found.success && found.data.city) return found.data
  log.warn({ status: answer.status }, 'the postal code search answered something else')
  return refuse('ERR_POSTAL_CODE_SEARCH')
}

function readJson(body: Buffer): object | null {
  try {
    const said: unknown = JSON.parse(body.toString())
    return typeof said === 'object' ? said : null
  } catch {
    return null
  }
}
