import type { Plan } from '@balcao/contract/plans.ts'
import {
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { companyId, instantColumn } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'

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
    /** Null: the server's. */
    timeZone: text('time_zone'),
    /** ISO 3166 code: numbers that are written without a country are read in it. Null: USUAL_COUNTRY. */
    phoneCountry: text('phone_country'),
    /** Whether admins still see messages that were deleted for everyone; else they are erased. */
    keepsDeleted: boolean('keeps_deleted').notNull().default(false),
    /** What is read on the phone counts as read here. */
    readsOnPhone: boolean('reads_on_phone').notNull().default(true),
    /** Whether notifications on devices show what was written. */
    pushShowsTexts: boolean('push_shows_texts').notNull().default(true),
    /** Minutes after a closing in which thanks join the closed ticket; 0 for never. */
    thanksMinutes: integer('thanks_minutes').notNull().default(15),
    reopensOnThanks: boolean('reopens_on_thanks').notNull().default(false),
    outOfHoursEvery: integer('out_of_hours_every').notNull().default(12),
    /** 1 active; users of any other company cannot log in (OP-45). */
    status: integer('status').notNull().default(1).$type<0 | 1>(),
    /** Written by versions up to 0.1: the pause that a subscription begins with. */
    switchedOffAt: instantColumn('switched_off_at'),
    switchedOnAt: instantColumn('switched_on_at'),
    /** Since when it is being deleted; it is not found any more. */
    leavingAt: instantColumn('leaving_at'),
    /** `coming`: a package is being imported as it, which is not complete; `abandoned`: that was given up. Both with `leaving_at`. */
    arrival: text('arrival').$type<'coming' | 'abandoned'>(),
    /** The last day to pay overdue invoices without a suspension. Only `settle_company` writes this and the next three columns. */
    payBy: date('pay_by', { mode: 'string' }),
    /** Since when it is suspended, for overdue invoices or by a pause: nothing of it is sent. */
    suspendedAt: instantColumn('suspended_at'),
    /** Why the service rests by a pause, and the day on which it is back (null: until further notice); null: it does not. */
    pauseReason: text('pause_reason'),
    pauseUntil: date('pause_until', { mode: 'string' }),
    /** The suspension that it was written about; null: none, or also about its end. */
    suspensionNotified: instantColumn('suspension_notified'),
    /** The last day to choose what rests, since it has more users or connections than its plan; null: it has not, or has chosen. */
    limitsBy: date('limits_by', { mode: 'string' }),
    /** Its admins are asked to accept the terms of the operator. */
    termsDue: boolean('terms_due').notNull().default(false),
    numberAttendants: integer('number_attendants').notNull().default(1),
    numberConections: integer('number_conections').notNull().default(1),
    enableReports: boolean('enable_reports').notNull().default(true),
    enableDashboard: boolean('enable_dashboard').notNull().default(true),
    enableCampaigns: boolean('enable_campaigns').notNull().default(false),
    enableSchedules: boolean('enable_schedules').notNull().default(true),
    enableBots: boolean('enable_bots').notNull().default(true),
    enableFlows: boolean('enable_flows').notNull().default(true),
    /** The running number of ticket protocols, raised with the row locked. */
    lastProtocol: integer('last_protocol').notNull().default(0),
    /** How many messages it had last night (`systemControl.countMessages`); null before the first. */
    messagesCounted: integer('messages_counted'),
    /**
     * By what the list of all companies is sorted and searched: the folded name, company name and e-mail, a line each. A trigger
     * writes it; its collation is "C". Empty in rows of earlier versions until `companies.foldWords` has filled them.
     */
    words: text('words').notNull().default(''),
    createdAt: instantColumn('created_at').notNull().default(sql`now()`),
  },
  table => [
    index('companies_words').on(table.words, table.id),
    index('companies_words_trigrams').using('gin', sql`${table.words} gin_trgm_ops`),
    index('companies_over_limits').on(table.limitsBy).where(sql`${table.limitsBy} is not null`),
    index('companies_arriving').on(table.arrival).where(sql`${table.arrival} is not null`),
    index('companies_leaving').on(table.leavingAt).where(sql`${table.leavingAt} is not null`),
    check('companies_status', sql`${table.status} in (0, 1)`),
  ],
)

/**
 * Rows without a company are the plans that the platform sells. A company has at most one, its own copy, which may differ
 * from the plan on sale.
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
    /** MiB of files; 0 for no limit. */
    storageLimitMb: integer('storage_limit_mb').notNull().default(0),
    /** Cents a month, by billing period. */
    value1Month: integer('value_1_month').notNull().default(0),
    value3Months: integer('value_3_months').notNull().default(0),
    value6Months: integer('value_6_months').notNull().default(0),
    value12Months: integer('value_12_months').notNull().default(0),
    recurrence: text('recurrence').notNull().default('month1').$type<Plan['recurrence']>(),
    billingType: text('billing_type').notNull().default('PIX').$type<Plan['billingType']>(),
    automaticInvoice: boolean('automatic_invoice').notNull().default(true),
    /** Without a payment the company is suspended when its trial ends (`settle_company`). */
    restsAfterTrial: boolean('rests_after_trial').notNull().default(false),
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
    /** Recipients of campaigns an hour; 0 for no limit (OP-90). */
    campaignSendLimitPerHour: integer('campaign_send_limit_per_hour').notNull().default(0),
  },
  table => [
    uniqueIndex('plans_one_standard').on(table.isStandard).where(sql`${table.isStandard}`),
    uniqueIndex('plans_of_company').on(table.companyId),
    check('plans_standard', sql`not (${table.isStandard} and ${table.companyId} is not null)`),
  ],
)

/** Number and size of a company's files, updated with each file and counted again every night. No row before the first query. */
export const companyFiles = pgTable(
  'company_files',
  {
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    files: integer('files').notNull(),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
  },
  table => [primaryKey({ columns: [table.companyId] })],
)

/**
 * Settings of the whole platform: `userCreation` is documented, `graceDays` and `collector` are not. While a company of the demo
 * is being deleted a row marks it.
 */
export const settings = pgTable('settings', {
  key: text('key').primaryKey(),
  value: text('value').notNull(),
})

/** How far the package of a company that arrives was imported: rows by entry. */
export const arrivals = pgTable('arrivals', {
  companyId: integer('company_id')
    .primaryKey()
    .references(() => companies.id, { onDelete: 'cascade' }),
  /** The SHA-256 of its index. */
  package: text('package').notNull(),
  done: jsonb('done').notNull().$type<Record<string, number>>(),
})

/** New ids by those of the package, of all tables; until the company has arrived. */
export const carriedIds = pgTable(
  'carried_ids',
  {
    /** Without a foreign key: the row of the company itself is rewritten by its ids. */
    companyId: integer('company_id').notNull(),
    space: text('space').notNull(),
    old: text('old').notNull(),
    new: text('new').notNull(),
  },
  table => [primaryKey({ columns: [table.companyId, table.space, table.old] })],
)
