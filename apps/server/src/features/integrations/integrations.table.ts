import { index, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { keysAt, sealedIn } from '../../platform/access/sealed.ts'
import { companyId, serialId } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { companies } from '../companies/companies.table.ts'

/** Where models answer. Rows of the platform's company serve all others, which never see them. */
export const integrations = pgTable(
  'integrations',
  {
    id: serialId(),
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    apiUrl: text('api_url').notNull().default(''),
    /** Sealed. */
    apiToken: text('api_token').notNull(),
    /** The last characters of the key, to distinguish keys. */
    tokenEnd: text('token_end').notNull().default(''),
    integrationType: text('integration_type').notNull().default('openai').$type<'openai'>(),
    message: text('message').notNull().default(''),
    dataJson: text('data_json').notNull().default(''),
    /** By company and model, the arguments that it does not take, until a time. */
    refused: jsonb('refused')
      .$type<Record<string, { names: string[]; until: string }>>()
      .notNull()
      .default({}),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('integrations_by_name').on(table.companyId, sql`folded(${table.name})`),
  ],
)

export const sealedOfIntegrations = sealedIn(
  integrations,
  {
    what: 'the key of an integration',
    todo: 'enter the key again on the screen of integrations: until then it counts as a wrong one',
    forget: (on, { companyId: id, keys }) =>
      on.execute(
        sql`update integrations set token_end = '' where company_id = ${id} and id in ${keysAt(keys)}`,
      ),
  },
  integrations.apiToken,
)
