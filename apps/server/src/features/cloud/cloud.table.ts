import {
  bigint,
  boolean,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import type { BookEntry } from '../../driver.ts'
import type { ExternalId } from '../../platform/external.ts'
import { companyId, instantColumn } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { whatsapps } from '../connections/connections.table.ts'

/** What Meta posted, byte for byte: written down before it is answered, worked off by the connection's owner. */
export const cloudDeliveries = pgTable(
  'cloud_deliveries',
  {
    id: bigint('id', { mode: 'number' }).notNull().generatedByDefaultAsIdentity(),
    companyId: companyId(),
    whatsappId: integer('whatsapp_id').notNull(),
    /** SHA-256 of the body: Meta repeats itself, and so may others who recorded it. */
    digest: text('digest').notNull(),
    body: text('body').notNull(),
    /** What could not be translated; empty when everything was. */
    strange: text('strange').notNull().default(''),
    receivedAt: instantColumn('received_at').notNull().default(sql`now()`),
    handledAt: instantColumn('handled_at'),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('cloud_deliveries_digest').on(table.companyId, table.whatsappId, table.digest),
    index('cloud_deliveries_waiting')
      .on(table.companyId, table.whatsappId, table.id)
      .where(sql`${table.handledAt} is null`),
    index('cloud_deliveries_received').on(table.receivedAt),
    foreignKey({
      columns: [table.companyId, table.whatsappId],
      foreignColumns: [whatsapps.companyId, whatsapps.id],
    }).onDelete('cascade'),
  ],
)

/** Our messages with Meta's ids. A row without one was sent, and its outcome is unknown. */
export const cloudSent = pgTable(
  'cloud_sent',
  {
    companyId: companyId(),
    whatsappId: integer('whatsapp_id').notNull(),
    /** Ours, which travels as `biz_opaque_callback_data` and comes back with every status. */
    externalId: text('external_id').notNull().$type<ExternalId>(),
    wamid: text('wamid').$type<ExternalId>(),
    askedAt: instantColumn('asked_at').notNull().default(sql`now()`),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.whatsappId, table.externalId] }),
    index('cloud_sent_age').using('brin', table.askedAt),
    uniqueIndex('cloud_sent_wamid').on(table.companyId, table.whatsappId, table.wamid),
    foreignKey({
      columns: [table.companyId, table.whatsappId],
      foreignColumns: [whatsapps.companyId, whatsapps.id],
    }).onDelete('cascade'),
  ],
)

/**
 * The address book of the phone that a number is on. It arrives before the people do, so that it is
 * kept to name them; a removed name stays empty, since an older one may still arrive.
 */
export const cloudBook = pgTable(
  'cloud_book',
  {
    companyId: companyId(),
    whatsappId: integer('whatsapp_id').notNull(),
    kind: text('kind').notNull().$type<BookEntry['kind']>(),
    /** A phone in its canonical form. */
    value: text('value').notNull().$type<ExternalId>(),
    name: text('name').notNull(),
    /** When the phone changed it. */
    at: instantColumn('at').notNull(),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.whatsappId, table.kind, table.value] }),
    foreignKey({
      columns: [table.companyId, table.whatsappId],
      foreignColumns: [whatsapps.companyId, whatsapps.id],
    }).onDelete('cascade'),
  ],
)

/** What Meta charges for a message, as a status of it reports: a row for each, however often that is repeated. */
export const cloudPrices = pgTable(
  'cloud_prices',
  {
    companyId: companyId(),
    whatsappId: integer('whatsapp_id').notNull(),
    /** Meta's id: a message that is sent again after a failure has another one, and another price. */
    wamid: text('wamid').notNull().$type<ExternalId>(),
    /** marketing, utility, authentication, service, referral_conversion … */
    category: text('category').notNull(),
    /** regular, free_customer_service, free_entry_point; empty before per-message pricing. */
    type: text('type').notNull(),
    /** PMP: per message; CBP: per conversation. */
    model: text('model').notNull(),
    billable: boolean('billable').notNull(),
    /** Only what is delivered is charged; null until then. */
    deliveredAt: instantColumn('delivered_at'),
    createdAt: instantColumn('created_at').notNull().default(sql`now()`),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.whatsappId, table.wamid] }),
    index('cloud_prices_by_time').on(table.companyId, table.deliveredAt),
    index('cloud_prices_age').using('brin', table.createdAt),
    foreignKey({
      columns: [table.companyId, table.whatsappId],
      foreignColumns: [whatsapps.companyId, whatsapps.id],
    }).onDelete('cascade'),
  ],
)
