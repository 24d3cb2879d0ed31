import type { CollectorName } from '@balcao/contract/collectors.ts'
import { boolean, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { companyId, instantColumn } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { companies } from '../companies/companies.table.ts'

/**
 * wanted: to be made at the provider. open: people may pay it. unwanted: to be cancelled there. paid, refunded, removed: as the
 * provider reports. over: cancelled, or never made.
 */
export type ChargeStage = 'wanted' | 'open' | 'unwanted' | 'paid' | 'refunded' | 'removed' | 'over'

/**
 * What the payment provider is asked to collect for invoices that name no other place to pay. An invoice has one after
 * another, of which one at most can be paid (`charges_current`).
 */
export const charges = pgTable(
  'charges',
  {
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    /** No foreign key: what is deleted here may still exist there. */
    invoiceId: integer('invoice_id').notNull(),
    /** What the provider knows it by. */
    reference: uuid('reference').notNull().defaultRandom(),
    /**
     * The provider that collects it; empty until the first attempt. It stays when another provider is chosen, since the charge
     * may exist there. Charges of earlier versions have the only provider of their time.
     */
    provider: text('provider').notNull().default('asaas').$type<CollectorName | ''>(),
    /** The provider’s; null until it answered. */
    chargeId: text('charge_id'),
    /** Its cents; null until the provider is called to make it. */
    value: integer('value'),
    state: text('state').notNull().default('wanted').$type<ChargeStage>(),
    /** When there is something to do for it next; whoever does it puts this off first. */
    dueAt: instantColumn('due_at').notNull().default(sql`now()`),
    attempts: integer('attempts').notNull().default(0),
    /** The authorization of PIX Automático with which the provider was called to make it; empty for none. */
    authorizationId: text('authorization_id').notNull().default(''),
    /** It is paid by its page alone, whatever the company chose: to pay it by itself was refused. */
    isOrdinary: boolean('is_ordinary').notNull().default(false),
    /** When the kept card is charged for it next; null: it is not. While that is under way, the end of the lease. */
    cardDueAt: instantColumn('card_due_at'),
    /** How often the card was refused. */
    cardTries: integer('card_tries').notNull().default(0),
    createdAt: instantColumn('created_at').notNull().default(sql`now()`),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.reference] }),
    uniqueIndex('charges_current')
      .on(table.companyId, table.invoiceId)
      .where(sql`${table.state} in ('wanted', 'open')`),
    index('charges_of_invoice').on(table.companyId, table.invoiceId),
    // an event names it without its company
    uniqueIndex('charges_reference').on(table.reference),
    uniqueIndex('charges_charge').on(table.provider, table.chargeId),
    index('charges_card_due')
      .on(table.cardDueAt)
      .where(sql`${table.state} = 'open' and ${table.cardDueAt} is not null`),
    index('charges_due').on(table.dueAt).where(sql`${table.state} in ('wanted', 'unwanted')`),
  ],
)

/** The provider’s events, each once by its id. */
export const paymentEvents = pgTable(
  'payment_events',
  {
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    eventId: text('event_id').notNull(),
    invoiceId: integer('invoice_id').notNull(),
    kind: text('kind').notNull(),
    createdAt: instantColumn('created_at').notNull().default(sql`now()`),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.eventId] }),
    index('payment_events_invoice').on(table.companyId, table.invoiceId),
  ],
)
