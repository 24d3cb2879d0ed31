import { boolean, foreignKey, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import type { ExternalId } from '../../platform/external.ts'
import { companyId, instantColumn, serialId } from '../../platform/postgres/columns.ts'
import type { LateIndex } from '../../platform/postgres/late-indexes.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { categories } from '../categories/categories.table.ts'
import { companies } from '../companies/companies.table.ts'
import { users } from '../users/users.table.ts'

export const contacts = pgTable(
  'contacts',
  {
    id: serialId(),
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** As entered; matching uses contact_identifiers. */
    number: text('number').notNull().default(''),
    lid: text('lid').notNull().default(''),
    /** The official API's id of a user who may hide the number. */
    cloudId: text('cloud_id').notNull().default(''),
    /** How the person is found in WhatsApp instead of by the number, in lower case; may change. */
    username: text('username').notNull().default(''),
    /** The name as WhatsApp or the phone's address book gave it: another one was written by a user, and stays. */
    networkName: text('network_name').notNull().default(''),
    /** When the number was last corrected: earlier messages were exchanged with somebody else. */
    correctedAt: instantColumn('corrected_at'),
    email: text('email').notNull().default(''),
    profilePicUrl: text('profile_pic_url').notNull().default(''),
    isGroup: boolean('is_group').notNull().default(false),
    commandBot: text('command_bot').notNull().default(''),
    /** The user whose customer it is. */
    ownerId: integer('owner_id'),
    /**
     * By what lists are sorted and searched: the folded name, the username with its sign, and the number, a line each. A trigger
     * writes it; its collation is "C". Empty in rows of earlier versions until `contacts.foldWords` has filled them.
     */
    words: text('words').notNull().default(''),
    /** Until when a message of the contact may answer a survey; null for who was not asked. */
    answerUntil: instantColumn('answer_until'),
    createdAt: instantColumn('created_at').notNull().default(sql`now()`),
    updatedAt: instantColumn('updated_at').notNull().default(sql`now()`),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('contacts_words').on(table.companyId, table.words, table.id),
    index('contacts_words_trigrams').using('gin', table.companyId, sql`${table.words} gin_trgm_ops`),
    // possible duplicates (contactMerges)
    index('contacts_loose_key')
      .on(table.companyId, sql`loose_phone_key(${table.number})`, table.id)
      .where(sql`${table.number} <> '' and not ${table.isGroup}`),
    index('contacts_email')
      .on(table.companyId, sql`lower(${table.email})`, table.id)
      .where(sql`${table.email} <> '' and not ${table.isGroup}`),
    // few of many: the customers of one user
    index('contacts_owner')
      .on(table.companyId, table.ownerId, table.words, table.id)
      .where(sql`${table.ownerId} is not null`),
    foreignKey({ columns: [table.companyId, table.ownerId], foreignColumns: [users.companyId, users.id] }),
    index('contacts_email_trigrams').using('gin', table.companyId, sql`lower(${table.email}) gin_trgm_ops`),
  ],
)

/**
 * Number of contacts of a company, kept by a trigger. Concurrent transactions update different rows (`part`) without waiting
 * for each other; the number is the sum of the parts (decision 012).
 */
export const contactCounts = pgTable(
  'contact_counts',
  {
    companyId: companyId(),
    part: integer('part').notNull().generatedByDefaultAsIdentity(),
    contacts: integer('contacts').notNull(),
  },
  table => [primaryKey({ columns: [table.companyId, table.part] })],
)

/** Identifiers of contacts in WhatsApp: a phone's canonical key, a LID, a group, a Cloud user id. */
export const contactIdentifiers = pgTable(
  'contact_identifiers',
  {
    companyId: companyId(),
    kind: text('kind').notNull().$type<'phone' | 'lid' | 'group' | 'cloud'>(),
    value: text('value').notNull().$type<ExternalId>(),
    contactId: integer('contact_id').notNull(),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.kind, table.value] }),
    index('contact_identifiers_contact').on(table.companyId, table.contactId),
    foreignKey({
      columns: [table.companyId, table.contactId],
      foreignColumns: [contacts.companyId, contacts.id],
    }).onDelete('cascade'),
  ],
)

export const contactExtraInfo = pgTable(
  'contact_extra_info',
  {
    id: serialId(),
    companyId: companyId(),
    contactId: integer('contact_id').notNull(),
    name: text('name').notNull(),
    value: text('value').notNull(),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('contact_extra_info_contact').on(table.companyId, table.contactId),
    foreignKey({
      columns: [table.companyId, table.contactId],
      foreignColumns: [contacts.companyId, contacts.id],
    }).onDelete('cascade'),
  ],
)

export const contactCategories = pgTable(
  'contact_categories',
  {
    companyId: companyId(),
    contactId: integer('contact_id').notNull(),
    categoryId: integer('category_id').notNull(),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.contactId, table.categoryId] }),
    index('contact_categories_category').on(table.companyId, table.categoryId, table.contactId),
    foreignKey({
      columns: [table.companyId, table.contactId],
      foreignColumns: [contacts.companyId, contacts.id],
    }).onDelete('cascade'),
    foreignKey({
      columns: [table.companyId, table.categoryId],
      foreignColumns: [categories.companyId, categories.id],
    }).onDelete('cascade'),
  ],
)

const trigramsOfWords = {
  name: 'contacts_words_trigrams',
  definition: 'using gin (company_id, words gin_trgm_ops)',
}

/** Built by their migration only where there are few contacts; the trigrams of the words replace three indexes. */
export const lateContactIndexes: LateIndex[] = [
  { name: 'contacts_words', definition: '(company_id, words, id)', replaces: 'contacts_name' },
  { ...trigramsOfWords, replaces: 'contacts_name_trigrams' },
  { ...trigramsOfWords, replaces: 'contacts_number_trigrams' },
  { ...trigramsOfWords, replaces: 'contacts_username_trigrams' },
].map(index => ({ kind: 'lateIndex', table: 'contacts', ...index }))
