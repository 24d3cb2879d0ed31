import type { CollectorName } from '@balcao/contract/collectors.ts'
import { pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { keysAt, sealedIn } from '../../platform/access/sealed.ts'
import { companyId } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { companies } from '../companies/companies.table.ts'

/** The accounts of the platform at payment providers, one each. They are rows of the company of the operator who entered them. */
export const collectors = pgTable(
  'collectors',
  {
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    name: text('name').notNull().$type<CollectorName>(),
    /** Sealed. */
    token: text('token').notNull(),
    /** Sealed. */
    webhookSecret: text('webhook_secret').notNull(),
    /** The last characters of the token, to distinguish tokens. */
    tokenEnd: text('token_end').notNull().default(''),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.name] }),
    uniqueIndex('collectors_name').on(table.name),
  ],
)

export const sealedOfCollectors = sealedIn(
  collectors,
  {
    what: 'the account at a payment provider',
    todo: 'enter token and webhook secret again on the settings screen; meanwhile invoices are paid by link or PIX',
    // one that cannot be opened would stop the charges of every company
    forget: (on, { companyId: id, keys }) =>
      on.execute(sql`delete from collectors where company_id = ${id} and name in ${keysAt(keys)}`),
  },
  ...[collectors.token, collectors.webhookSecret],
)
