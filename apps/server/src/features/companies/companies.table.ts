import { boolean, check, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { instantColumn } from '../../platform/columns.ts'
import { sql } from '../../platform/sql.ts'

/** What the platform sells. Global: every company reads it, only the platform writes it. */
export const plans = pgTable(
  'plans',
  {
    id: integer('id').primaryKey().generatedByDefaultAsIdentity(),
    name: text('name').notNull(),
    numberAttendants: integer('number_attendants').notNull().default(1),
    numberConnections: integer('number_connections').notNull().default(1),
    isStandard: boolean('is_standard').notNull().default(false),
    iaIntegrationEnabled: boolean('ia_integration_enabled').notNull().default(true),
    enableCampaigns: boolean('enable_campaigns').notNull().default(false),
    enableBots: boolean('enable_bots').notNull().default(true),
    enableFlows: boolean('enable_flows').notNull().default(true),
  },
  table => [uniqueIndex('plans_one_standard').on(table.isStandard).where(sql`${table.isStandard}`)],
)

export const companies = pgTable(
  'companies',
  {
    id: integer('id').primaryKey().generatedByDefaultAsIdentity(),
    name: text('name').notNull(),
    companyName: text('company_name').notNull().default(''),
    email: text('email').notNull().default(''),
    slogan: text('slogan').notNull().default(''),
    logoUrl: text('logo_url').notNull().default(''),
    /** Without punctuation; a CNPJ may hold letters. */
    documentNumber: text('document_number').notNull().default(''),
    cep: text('cep').notNull().default(''),
    street: text('street').notNull().default(''),
    numberAddress: text('number_address').notNull().default(''),
    complement: text('complement').notNull().default(''),
    district: text('district').notNull().default(''),
    city: text('city').notNull().default(''),
    state: text('state').notNull().default(''),
    country: text('country').notNull().default(''),
    /** Null: the installation's. */
    timeZone: text('time_zone'),
    /** 1 active; users of any other company cannot log in (OP-45). */
    status: integer('status').notNull().default(1),
    planId: integer('plan_id').references(() => plans.id),
    numberAttendants: integer('number_attendants').notNull().default(1),
    numberConections: integer('number_conections').notNull().default(1),
    enableCampaigns: boolean('enable_campaigns').notNull().default(false),
    enableBots: boolean('enable_bots').notNull().default(true),
    enableFlows: boolean('enable_flows').notNull().default(true),
    /** The running number of ticket protocols, taken with the row locked. */
    lastProtocol: integer('last_protocol').notNull().default(0),
    createdAt: instantColumn('created_at').notNull().default(sql`now()`),
  },
  table => [check('companies_status', sql`${table.status} in (0, 1)`)],
)

/** Key and value for the whole platform; `userCreation` is the one the documents name. */
export const settings = pgTable('settings', {
  key: text('key').primaryKey(),
  value: text('value').notNull(),
})
