import { foreignKey, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { companyId, instantColumn } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { companies } from '../companies/companies.table.ts'

/** The terms of the operator, version by version; the newest one counts, unless it is withdrawn. */
export const termsVersions = pgTable(
  'terms_versions',
  {
    id: integer('id').primaryKey().generatedByDefaultAsIdentity(),
    version: text('version').notNull(),
    url: text('url').notNull().default(''),
    text: text('text').notNull().default(''),
    recordedBy: text('recorded_by').notNull().default(''),
    publishedAt: instantColumn('published_at').notNull().default(sql`now()`),
    withdrawnAt: instantColumn('withdrawn_at'),
  },
  table => [uniqueIndex('terms_versions_version').on(table.version)],
)

/** Which version a company accepted, by whom and when. */
export const termsAcceptances = pgTable(
  'terms_acceptances',
  {
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    termsId: integer('terms_id').notNull(),
    name: text('name').notNull(),
    email: text('email').notNull(),
    acceptedAt: instantColumn('accepted_at').notNull().default(sql`now()`),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.termsId] }),
    foreignKey({ columns: [table.termsId], foreignColumns: [termsVersions.id] }),
    index('terms_acceptances_newest').on(table.acceptedAt, table.companyId),
  ],
)
