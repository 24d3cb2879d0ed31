import type { NoticeKind, NoticePlatform } from '@balcao/contract/billingNotices.rules.ts'
import type { BillingNotice, SubscriptionContact } from '@balcao/contract/billingNotices.ts'
import {
  boolean,
  date,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { companyId, instantColumn, serialId } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { companies } from '../companies/companies.table.ts'
import { invoices } from '../invoices/invoices.table.ts'

const wish = (name: string) => boolean(name).notNull().default(true)
const words = (name: string) => text(name).notNull().default('')

/** Who is notified of the invoices of a company, and of what. */
export const notificationContacts = pgTable(
  'notification_contacts',
  {
    id: serialId(),
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    contactName: text('contact_name').notNull(),
    email: words('email'),
    whatsapp: words('whatsapp'),
    whatsappVAlidatedNumber:
      words('whatsapp_validated_number').$type<SubscriptionContact['whatsappVAlidatedNumber']>(),
    whatsappInvoiceCreated: wish('whatsapp_invoice_created'),
    whatsappInvoiceDay: wish('whatsapp_invoice_day'),
    whatsappDelayedPayment: wish('whatsapp_delayed_payment'),
    whatsappInvoiceConfirmedPayment: wish('whatsapp_invoice_confirmed_payment'),
    emailInvoiceCreated: wish('email_invoice_created'),
    emailInvoiceDay: wish('email_invoice_day'),
    emailDelayedPayment: wish('email_delayed_payment'),
    emailInvoiceConfirmedPayment: wish('email_invoice_confirmed_payment'),
    invoiceDaysBeforeExpiration: integer('invoice_days_before_expiration').notNull().default(5),
    invoiceDaysAfterExpiration: integer('invoice_days_after_expiration').notNull().default(5),
    createdAt: instantColumn('created_at').notNull().default(sql`now()`),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    // a call names a contact without its company
    uniqueIndex('notification_contacts_id').on(table.id),
  ],
)

/** The operator's templates for notices. Of the platform: no company sees it. */
export const notificationTemplates = pgTable('notification_templates', {
  id: integer('id').primaryKey().generatedByDefaultAsIdentity(),
  name: text('name').notNull(),
  type: text('type').notNull().$type<'payments'>(),
  thumbnailWpHtml: words('thumbnail_wp_html'),
  textWp: words('text_wp'),
  emailHtml: words('email_html'),
  emailTitle: words('email_title'),
  updatedAt: instantColumn('updated_at').notNull().default(sql`now()`),
})

/** Notices of invoices and trials: each once, also after a crash (`billing_notices_once`, `billing_notices_elsewhere`). */
export const billingNotices = pgTable(
  'billing_notices',
  {
    /** Also of the message over WhatsApp, and what its address names. */
    id: uuid('id').notNull().defaultRandom(),
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    /** Null: of the trial that ends on `trialEndsOn`. */
    invoiceId: integer('invoice_id'),
    trialEndsOn: date('trial_ends_on', { mode: 'string' }),
    /** No foreign key: a notice stays when the contact is deleted. Null: to `address`, which no contact has. */
    contactId: integer('contact_id'),
    address: words('address'),
    contactName: text('contact_name').notNull(),
    platform: text('platform').notNull().$type<NoticePlatform>(),
    kind: text('kind').notNull().$type<NoticeKind>(),
    /** `round` of the invoice. */
    round: integer('round').notNull().default(0),
    state: text('state').notNull().default('waiting').$type<Exclude<BillingNotice['state'], 'held'>>(),
    /** Of one that waits: why it is held. */
    reason: words('reason'),
    /** The company whose connection carries it, by WhatsApp; no foreign key: it may be gone. */
    centreId: integer('centre_id'),
    dueAt: instantColumn('due_at').notNull(),
    sentAt: instantColumn('sent_at'),
    createdAt: instantColumn('created_at').notNull(),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    // its address names it without its company
    uniqueIndex('billing_notices_id').on(table.id),
    uniqueIndex('billing_notices_once').on(
      table.companyId,
      table.invoiceId,
      table.contactId,
      table.platform,
      table.kind,
      table.round,
    ),
    // null is unlike null there
    uniqueIndex('billing_notices_elsewhere')
      .on(
        table.companyId,
        sql`coalesce(${table.invoiceId}, 0)`,
        sql`coalesce(${table.trialEndsOn}, date '2000-01-01')`,
        sql`coalesce(${table.contactId}, 0)`,
        table.address,
        table.platform,
        table.kind,
        table.round,
      )
      .where(sql`${table.contactId} is null or ${table.invoiceId} is null`),
    foreignKey({
      columns: [table.companyId, table.invoiceId],
      foreignColumns: [invoices.companyId, invoices.id],
    }).onDelete('cascade'),
    index('billing_notices_newest').on(table.companyId, table.createdAt, table.id),
    index('billing_notices_waiting').on(table.dueAt).where(sql`${table.state} = 'waiting'`),
    index('billing_notices_leaving')
      .on(table.centreId)
      .where(sql`${table.state} = 'leaving' and ${table.platform} = 'wpp'`),
  ],
)
