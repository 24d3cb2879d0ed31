import type { ConnectionStatus, Lib } from '@balcao/contract/connections.ts'
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
import { companyId, instantColumn, serialId } from '../../platform/columns.ts'
import { sql } from '../../platform/sql.ts'
import { companies } from '../companies/companies.table.ts'
import { queues } from '../queues/queues.table.ts'

export const whatsapps = pgTable(
  'whatsapps',
  {
    id: serialId(),
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    lib: text('lib').notNull().default('baileys').$type<Lib>(),
    status: text('status').notNull().default('DISCONNECTED').$type<ConnectionStatus>(),
    statusReason: text('status_reason').notNull().default(''),
    number: text('number').notNull().default(''),
    /** Encrypted, like everything that would let somebody else pair. */
    qrcode: text('qrcode').notNull().default(''),
    pairingCode: text('pairing_code').notNull().default(''),
    retries: integer('retries').notNull().default(0),
    isDefault: boolean('is_default').notNull().default(false),
    greetingMessage: text('greeting_message').notNull().default(''),
    farewellMessage: text('farewell_message').notNull().default(''),
    disableGroupMessages: boolean('disable_group_messages').notNull().default(false),
    importOldMessages: instantColumn('import_old_messages'),
    importRecentMessages: instantColumn('import_recent_messages'),
    importOldMessagesGroups: boolean('import_old_messages_groups').notNull().default(false),
    closedTicketsPostImported: boolean('closed_tickets_post_imported').notNull().default(false),
    saasNotificationCenter: boolean('saas_notification_center').notNull().default(false),
    statusImportMessages: text('status_import_messages').notNull().default(''),
    /** What its admin asked for last; the process that holds the lease makes it so. */
    wanted: text('wanted').notNull().default('off').$type<'on' | 'renew' | 'logout' | 'off'>(),
    /** Counts the asking: an order is carried out once. */
    wantedOrder: integer('wanted_order').notNull().default(0),
    /** A number that pairs by a code to type instead of a QR code. */
    wantedNumber: text('wanted_number').notNull().default(''),
    createdAt: instantColumn('created_at').notNull().default(sql`now()`),
    updatedAt: instantColumn('updated_at').notNull().default(sql`now()`),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('whatsapps_name').on(table.companyId, sql`lower(${table.name})`),
    uniqueIndex('whatsapps_default').on(table.companyId).where(sql`${table.isDefault}`),
  ],
)

export const whatsappQueues = pgTable(
  'whatsapp_queues',
  {
    companyId: companyId(),
    whatsappId: integer('whatsapp_id').notNull(),
    queueId: integer('queue_id').notNull(),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.whatsappId, table.queueId] }),
    foreignKey({
      columns: [table.companyId, table.whatsappId],
      foreignColumns: [whatsapps.companyId, whatsapps.id],
    }).onDelete('cascade'),
    foreignKey({
      columns: [table.companyId, table.queueId],
      foreignColumns: [queues.companyId, queues.id],
    }).onDelete('cascade'),
    index('whatsapp_queues_queue').on(table.companyId, table.queueId),
  ],
)

/** Who runs a number. The epoch rises with each new owner; every write of a session carries it. */
export const whatsappLeases = pgTable(
  'whatsapp_leases',
  {
    companyId: companyId(),
    whatsappId: integer('whatsapp_id').notNull(),
    owner: text('owner').notNull(),
    epoch: bigint('epoch', { mode: 'number' }).notNull(),
    expiresAt: instantColumn('expires_at').notNull(),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.whatsappId] }),
    foreignKey({
      columns: [table.companyId, table.whatsappId],
      foreignColumns: [whatsapps.companyId, whatsapps.id],
    }).onDelete('cascade'),
  ],
)

/** Credentials and Signal keys, encrypted: these rows are equivalent to the account. */
export const whatsappKeys = pgTable(
  'whatsapp_keys',
  {
    companyId: companyId(),
    whatsappId: integer('whatsapp_id').notNull(),
    type: text('type').notNull(),
    id: text('id').notNull(),
    value: text('value').notNull(),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.whatsappId, table.type, table.id] }),
    foreignKey({
      columns: [table.companyId, table.whatsappId],
      foreignColumns: [whatsapps.companyId, whatsapps.id],
    }).onDelete('cascade'),
  ],
)

/** What a number of the official API is reached with, and what Meta says of it. */
export const whatsappCloud = pgTable(
  'whatsapp_cloud',
  {
    companyId: companyId(),
    whatsappId: integer('whatsapp_id').notNull(),
    phoneNumberId: text('phone_number_id').notNull().default(''),
    businessAccountId: text('business_account_id').notNull().default(''),
    /** Encrypted, like the two below: who has them is the company. */
    accessToken: text('access_token').notNull().default(''),
    appSecret: text('app_secret').notNull().default(''),
    verifyToken: text('verify_token').notNull().default(''),
    /** The end of the webhook's address: whoever does not know it cannot even be refused. */
    webhookKey: text('webhook_key').notNull(),
    name: text('name').notNull().default(''),
    quality: text('quality').notNull().default(''),
    messagingLimit: text('messaging_limit').notNull().default(''),
    throughput: text('throughput').notNull().default(''),
    tokenExpiresAt: instantColumn('token_expires_at'),
    lastWebhookAt: instantColumn('last_webhook_at'),
    lastError: text('last_error').notNull().default(''),
    lastErrorAt: instantColumn('last_error_at'),
    checkedAt: instantColumn('checked_at'),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.whatsappId] }),
    uniqueIndex('whatsapp_cloud_key').on(table.webhookKey),
    uniqueIndex('whatsapp_cloud_number').on(table.companyId, table.phoneNumberId),
    foreignKey({
      columns: [table.companyId, table.whatsappId],
      foreignColumns: [whatsapps.companyId, whatsapps.id],
    }).onDelete('cascade'),
  ],
)
