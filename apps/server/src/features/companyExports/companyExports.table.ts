import type { CompanyExport } from '@balcao/contract/companyExports.ts'
import { bigint, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { Letter } from '../../platform/outbound/letter.ts'
import { instantColumn } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { companies } from '../companies/companies.table.ts'

/** The newest package of each company's data. */
export const companyExports = pgTable(
  'company_exports',
  {
    companyId: integer('company_id')
      .primaryKey()
      .references(() => companies.id, { onDelete: 'cascade' }),
    /** Anew for each package: the link names it. */
    id: uuid('id').notNull().defaultRandom(),
    state: text('state').notNull().default('making').$type<CompanyExport['state']>(),
    language: text('language').notNull().$type<Letter['language']>(),
    /** Where the file is served to the company's users; null until it is ready. */
    mediaUrl: text('media_url'),
    bytes: bigint('bytes', { mode: 'number' }).notNull().default(0),
    requestedAt: instantColumn('requested_at').notNull().default(sql`now()`),
    expiresAt: instantColumn('expires_at'),
  },
  table => [uniqueIndex('company_exports_id').on(table.id)],
)
