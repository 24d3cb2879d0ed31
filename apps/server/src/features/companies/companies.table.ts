import type { Plan } from '@balcao/contract/plans.ts'
import { boolean, check, date, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { instantColumn } from '../../platform/columns.ts'
import { sql } from '../../platform/sql.ts'

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
    inscrMunicipal: text('inscr_municipal').notNull().default(''),
    inscrEstadual: text('inscr_estadual').notNull().default(''),
    emailsOfNotifications: text('emails_of_notifications').notNull().default(''),
    whatsappsOfNotifications: text('whatsapps_of_notifications').notNull().default(''),
    observation: text('observation').notNull().default(''),
    /** Who signed up for it, where somebody did. */
    leadId: integer('lead_id'),
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
    status: integer('status').notNull().default(1).$type<0 | 1>(),
    /** When it was switched off last, and when it was on again: what began in between is not billed. */
    switchedOffAt: instantColumn('switched_off_at'),
    switchedOnAt: instantColumn('switched_on_at'),
    /** Since when everything of it goes: nobody finds it any more. */
    leavingAt: instantColumn('leaving_at'),
    /** The last day on which what is overdue may be paid without a suspension. It and the next are written by `settle_company` alone. */
    payBy: date('pay_by', { mode: 'string' }),
    /** Since when nothing of it is sent, because it does not pay. */
    suspendedAt: instantColumn('suspended_at'),
    numberAttendants: integer('number_attendants').notNull().default(1),
    numberConections: integer('number_conections').notNull().default(1),
    enableReports: boolean('enable_reports').notNull().default(true),
    enableDashboard: boolean('enable_dashboard').notNull().default(true),
    enableCampaigns: boolean('enable_campaigns').notNull().default(false),
    enableSchedules: boolean('enable_schedules').notNull().default(true),
    enableBots: boolean('enable_bots').notNull().default(true),
    enableFlows: boolean('enable_flows').notNull().default(true),
    /** The running number of ticket protocols, taken with the row locked. */
    lastProtocol: integer('last_protocol').notNull().default(0),
    createdAt: instantColumn('created_at').notNull().default(sql`now()`),
  },
  table => [
    index('companies_by_name').on(sql`lower(${table.name})`, table.id),
    check('companies_status', sql`${table.status} in (0, 1)`),
  ],
)

/**
 * What the platform sells: rows without a company, which only the platform reads and writes. Of a company it is the copy
 * that it was given, which may differ from what is sold by now; a company has one at most.
 */
export const plans = pgTable(
  'plans',
  {
    id: integer('id').primaryKey().generatedByDefaultAsIdentity(),
    companyId: integer('company_id').references(() => companies.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    slogan: text('slogan').notNull().default(''),
    description: text('description').notNull().default(''),
    numberAttendants: integer('number_attendants').notNull().default(1),
    numberConnections: integer('number_connections').notNull().default(1),
    /** Cents a month, by the period that is paid at once. */
    value1Month: integer('value_1_month').notNull().default(0),
    value3Months: integer('value_3_months').notNull().default(0),
    value6Months: integer('value_6_months').notNull().default(0),
    value12Months: integer('value_12_months').notNull().default(0),
    recurrence: text('recurrence').notNull().default('month1').$type<Plan['recurrence']>(),
    billingType: text('billing_type').notNull().default('PIX').$type<Plan['billingType']>(),
    automaticInvoice: boolean('automatic_invoice').notNull().default(false),
    highlighted: integer('highlighted').notNull().default(0).$type<Plan['highlighted']>(),
    isStandard: boolean('is_standard').notNull().default(false),
    /** Whether it is offered. */
    status: boolean('status').notNull().default(true),
    iaIntegrationEnabled: boolean('ia_integration_enabled').notNull().default(true),
    enableReports: boolean('enable_reports').notNull().default(true),
    enableDashboard: boolean('enable_dashboard').notNull().default(true),
    enableCampaigns: boolean('enable_campaigns').notNull().default(false),
    enableSchedules: boolean('enable_schedules').notNull().default(true),
    enableApi: boolean('enable_api').notNull().default(true),
    enableBots: boolean('enable_bots').notNull().default(true),
    enableFlows: boolean('enable_flows').notNull().default(true),
    /** People that campaigns write to within any hour; 0 for no limit (OP-90). */
    campaignSendLimitPerHour: integer('campaign_send_limit_per_hour').notNull().default(0),
  },
  table => [
    uniqueIndex('plans_one_standard').on(table.isStandard).where(sql`${table.isStandard}`),
    uniqueIndex('plans_of_company').on(table.companyId),
    check('plans_standard', sql`not (${table.isStandard} and ${table.companyId} is not null)`),
  ],
)

/** Key and value for the whole platform; `userCreation` is the one the documents name, `graceDays` ours. */
export const settings = pgTable('settings', {
  key: text('key').primaryKey(),
  value: text('value').notNull(),
})
