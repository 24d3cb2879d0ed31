import {
  bigint,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
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
    externalId: text('external_id').notNull(),
    wamid: text('wamid'),
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
