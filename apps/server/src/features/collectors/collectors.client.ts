import { CollectorName } from '@balcao/contract/collectors.ts'
import type { PaymentProvider, ProviderAccount } from '../../payments/payments.ts'
import { providers } from '../../payments/providers.ts'
import type { Platform } from '../../platform/app.ts'
import { chosenCollector } from '../companies/companies.settings.queries.ts'
import { type CollectorRow, collectorRows } from './collectors.queries.ts'

/** The payment providers that are set up. */
export interface Collectors {
  /** The one that collects new charges; null for none. */
  current: PaymentProvider | null
  all: PaymentProvider[]
  /** Null where it is not set up. */
  of(name: string): PaymentProvider | null
}

export type CollectorTools = Pick<Platform, 'scopes' | 'config' | 'outbound' | 'secrets'>

/** Opens every provider with the account that is stored, or that the server’s variables name. */
export async function openCollectors({
  scopes,
  config,
  outbound,
  secrets,
}: CollectorTools): Promise<Collectors> {
  const { rows, chosen } = await scopes.platform().transaction(async sql => ({
    rows: await collectorRows(sql),
    chosen: await chosenCollector(sql, config),
  }))
  const accountOf = (name: CollectorName): ProviderAccount => {
    const row = rows.find(one => one.name === name)
    const account = providers[name].account(config)
    // a drill has the rows of the original, whose provider does not call it
    return row && !config.drill ? { ...account, ...opened(secrets, row) } : account
  }
  const all = CollectorName.options
    .map(name => providers[name].open(accountOf(name), outbound.by({ target: 'payments', companyId: null })))
    .filter(({ isSetUp }) => isSetUp)
  const of = (name: string) => all.find(one => one.name === name) ?? null
  return { current: chosen && of(chosen), all, of }
}

const opened = (secrets: Platform['secrets'], { companyId, token, webhookSecret }: CollectorRow) => ({
  token: secrets.open(companyId, token),
  webhookSecret: secrets.open(companyId, webhookSecret),
})
