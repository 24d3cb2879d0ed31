import { foreignKey, index, integer, jsonb, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { companyId, instantColumn, serialId } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { companies } from '../companies/companies.table.ts'
import type { ContactFacts, GoneContact } from '../contacts/contacts.facts.queries.ts'
import { contacts } from '../contacts/contacts.table.ts'

/** Merges that can still be undone, with the data of both contacts before. Rows are deleted after UNDO_HOURS. */
export const contactMerges = pgTable(
  'contact_merges',
  {
    id: serialId(),
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    /** No foreign key: this contact may be merged into another, and restored when that is undone. */
    intoId: integer('into_id').notNull(),
    fromId: integer('from_id').notNull(),
    byUserId: integer('by_user_id'),
    at: instantColumn('at').notNull().default(sql`now()`),
    /** The merged contact before and after, and the deleted one. */
    before: jsonb('before').notNull().$type<ContactFacts>(),
    after: jsonb('after').notNull().$type<ContactFacts>(),
    gone: jsonb('gone').notNull().$type<GoneContact>(),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('contact_merges_at').on(table.companyId, table.at),
  ],
)

/** Pairs that a user marked as different people; the smaller id first. */
export const contactsApart = pgTable(
  'contacts_apart',
  {
    companyId: companyId(),
    oneId: integer('one_id').notNull(),
    otherId: integer('other_id').notNull(),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.oneId, table.otherId] }),
    index('contacts_apart_other').on(table.companyId, table.otherId),
    foreignKey({
      columns: [table.companyId, table.oneId],
      foreignColumns: [contacts.companyId, contacts.id],
    }).onDelete('cascade'),
    foreignKey({
      columns: [table.companyId, table.otherId],
      foreignColumns: [contacts.companyId, contacts.id],
    }).onDelete('cascade'),
  ],
)
