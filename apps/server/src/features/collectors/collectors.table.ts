import type { CollectorName } from '@balcao/contract/collectors.ts'
import { pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { sealedIn } from '../../platform/access/sealed.ts'
import { companyId } from '../../platform/postgres/columns.ts'
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

export const sealedOfCollectors = sealedIn(collectors, collectors.token, collectors.webhookSecret)
