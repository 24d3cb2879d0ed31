import type { OptOut } from '@balcao/contract/optOuts.ts'
import {
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { companyId, instantColumn, serialId } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { companies } from '../companies/companies.table.ts'
import { users } from '../users/users.table.ts'

/** Numbers that no campaign writes to; they outlive their contacts. */
export const optOuts = pgTable(
  'opt_outs',
  {
    id: serialId(),
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    /** What a number is matched by. */
    key: text('key').notNull(),
    number: text('number').notNull(),
    source: text('source').notNull().$type<OptOut['source']>(),
    word: text('word').notNull().default(''),
    userId: integer('user_id'),
    createdAt: instantColumn('created_at').notNull().default(sql`now()`),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('opt_outs_key').on(table.companyId, table.key),
    foreignKey({ columns: [table.companyId, table.userId], foreignColumns: [users.companyId, users.id] }),
  ],
)

/** The last choice of a person about marketing in WhatsApp itself: webhooks come late and in any order. */
export const marketingChoices = pgTable(
  'marketing_choices',
  {
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    /** As in `opt_outs`. */
    key: text('key').notNull(),
    isWanted: boolean('is_wanted').notNull(),
    /** By Meta's clock. */
    at: instantColumn('at').notNull(),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.key] }),
    index('marketing_choices_at').using('brin', table.at),
  ],
)

/** The stop words of a company; without a row those that everybody has. */
export const optOutSettings = pgTable(
  'opt_out_settings',
  {
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    isOn: boolean('is_on').notNull(),
    words: jsonb('words').notNull().$type<string[]>(),
    reply: text('reply').notNull(),
  },
  table => [primaryKey({ columns: [table.companyId] })],
)
