import { type Collector, type CollectorInput, CollectorName } from '@balcao/contract/collectors.ts'
import { providers } from '../../payments/providers.ts'
import type { Secrets } from '../../platform/access/secrets.ts'
import type { Config } from '../../platform/config.ts'
import { refuse } from '../../platform/errors.ts'
import type { PlatformScope } from '../../platform/scope.ts'
import { chooseCollector, chosenCollector } from '../companies/companies.settings.queries.ts'
import { collectorRows, lockCollector, putCollector } from './collectors.queries.ts'

/** Every provider, without its secrets. */
export const shownCollectors = (platform: PlatformScope, config: Config): Promise<Collector[]> =>
  platform.transaction(async sql => {
    const rows = await collectorRows(sql)
    const chosen = await chosenCollector(sql, config)
    return CollectorName.options.map(name => {
      const row = rows.find(one => one.name === name)
      const { token } = providers[name].account(config)
      return {
        ...{ name, isChosen: chosen === name, isSetUp: row !== undefined || token !== null },
        isOfServer: row === undefined && token !== null,
        tokenEnd: row?.tokenEnd ?? endOf(token ?? ''),
        webhookPath: webhookPath(name),
        billingTypes: providers[name].billingTypes,
      }
    })
  })

export const webhookPath = (name: string) => `/payments/${name}`

/** Stores an account, sealed; an empty field keeps its stored value. Refuses with ERR_BAD_REQUEST where it has none. */
export const saveCollector = (
  platform: PlatformScope,
  secrets: Secrets,
  { companyId, name, ...input }: CollectorInput & { companyId: number; name: CollectorName },
): Promise<void> =>
  platform.transaction(async sql => {
    const known = await lockCollector(sql, name)
    const kept = (field: 'token' | 'webhookSecret') =>
      secrets.seal(
        companyId,
        input[field] || (known ? secrets.open(known.companyId, known[field]) : missing(field)),
      )
    const [token, webhookSecret] = [kept('token'), kept('webhookSecret')]
    const tokenEnd = input.token ? endOf(input.token) : known!.tokenEnd
    await putCollector(sql, { companyId, name, token, webhookSecret, tokenEnd })
  })

const missing = (field: string) => refuse('ERR_BAD_REQUEST', { field, message: 'Required' })

const END = 4
const endOf = (token: string) => (token.length > 2 * END ? token.slice(-END) : '')

/** Chooses the provider that collects new charges. Refuses with ERR_COLLECTOR_UNSET. */
export async function changeCollector(
  platform: PlatformScope,
  config: Config,
  name: CollectorName | null,
): Promise<void> {
  const known = (await shownCollectors(platform, config)).find(one => one.name === name)
  if (known && !known.isSetUp) refuse('ERR_COLLECTOR_UNSET')
  await platform.transaction(sql => chooseCollector(sql, name))
}
