import { CollectorName } from '@balcao/contract/collectors.ts'
import type { ProviderAccount } from '../../payments/payments.ts'
import { providers } from '../../payments/providers.ts'
import type { Config } from '../../platform/config.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { eq, exists, inArray, or, sql as tag } from '../../platform/postgres/sql.ts'
import { collectorChosen } from '../companies/companies.settings.queries.ts'
import { collectors } from './collectors.table.ts'

export type CollectorRow = typeof collectors.$inferSelect

export const collectorRows = (sql: Sql): Promise<CollectorRow[]> => sql.select().from(collectors)

/** Whether any provider is set up: its account is stored, or named by the server’s variables. */
export const someCollector = (sql: Sql, config: Config) =>
  ofServer(config).length > 0 ? tag`true` : exists(namesOf(sql, config))

/** Whether the provider that collects new charges is set up. */
export const isCollecting = (sql: Sql, config: Config) =>
  or(
    inArray(collectorChosen(config), namesOf(sql, config)),
    inArray(collectorChosen(config), ofServer(config)),
  )!

/** Of the stored accounts, none in a drill: `openCollectors` ignores them there. */
const namesOf = (sql: Sql, { drill }: Config) =>
  sql
    .select({ name: collectors.name })
    .from(collectors)
    .where(drill ? tag`false` : undefined)

function ofServer(config: Config): CollectorName[] {
  const isNamed = ({ token, webhookSecret }: ProviderAccount) => Boolean(token && webhookSecret)
  return CollectorName.options.filter(name => isNamed(providers[name].account(config)))
}

/** The stored account at a provider, locked; null where there is none. */
export async function lockCollector(sql: Sql, name: CollectorName): Promise<CollectorRow | null> {
  const [row] = await sql.select().from(collectors).where(eq(collectors.name, name)).for('update')
  return row ?? null
}

export const putCollector = (sql: Sql, row: CollectorRow) =>
  sql.insert(collectors).values(row).onConflictDoUpdate({ target: collectors.name, set: row })
