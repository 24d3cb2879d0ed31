import type { Holiday, OpenHours } from '@balcao/contract/businessHours.ts'
import type { CloudHealth } from '@balcao/contract/cloud.ts'
import type { ConnectionStatus, Lib } from '@balcao/contract/connections.ts'
import {
  bigint,
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { keysAt, sealedIn } from '../../platform/access/sealed.ts'
import type { ExternalId } from '../../platform/external.ts'
import { companyId, instantColumn, serialId } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
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
    /** Disconnected for a time only: opened again then, without an order. */
    statusUntil: instantColumn('status_until'),
    /** Until when WhatsApp refuses first messages to people who never wrote to the number. */
    restrictedUntil: instantColumn('restricted_until'),
    number: text('number').notNull().default(''),
    /** Encrypted: pairs a phone with the number. */
    qrcode: text('qrcode').notNull().default(''),
    pairingCode: text('pairing_code').notNull().default(''),
    retries: integer('retries').notNull().default(0),
    /** Since when the number is paired; null while it is not. */
    pairedAt: instantColumn('paired_at'),
    isDefault: boolean('is_default').notNull().default(false),
    greetingMessage: text('greeting_message').notNull().default(''),
    farewellMessage: text('farewell_message').notNull().default(''),
    outOfHoursMessage: text('out_of_hours_message').notNull().default(''),
    /** Its own; null: those of the company. */
    hours: jsonb('hours').$type<OpenHours[]>(),
    holidays: jsonb('holidays').$type<Holiday[]>(),
    disableGroupMessages: boolean('disable_group_messages').notNull().default(false),
    importOldMessages: instantColumn('import_old_messages'),
    importRecentMessages: instantColumn('import_recent_messages'),
    importOldMessagesGroups: boolean('import_old_messages_groups').notNull().default(false),
    closedTicketsPostImported: boolean('closed_tickets_post_imported').notNull().default(false),
    saasNotificationCenter: boolean('saas_notification_center').notNull().default(false),
    statusImportMessages: text('status_import_messages').notNull().default(''),
    /** The desired state, applied by the process that holds the lease. */
    wanted: text('wanted').notNull().default('off').$type<'on' | 'renew' | 'logout' | 'off'>(),
    /** Rises with each request: an order is applied once. */
    wantedOrder: integer('wanted_order').notNull().default(0),
    /** The number that is paired by a code instead of a QR code. */
    wantedNumber: text('wanted_number').notNull().default(''),
    /** Since when it does not run, since the company has more connections than its plan; null: it does not rest. */
    restingSince: instantColumn('resting_since'),
    createdAt: instantColumn('created_at').notNull().default(sql`now()`),
    updatedAt: instantColumn('updated_at').notNull().default(sql`now()`),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('whatsapps_name').on(table.companyId, sql`lower(${table.name})`),
    index('whatsapps_resting').on(table.companyId).where(sql`${table.restingSince} is not null`),
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

/** When a connection was lost, ended or restricted, and why: the newest `MOST_FALLS` of each. */
export const whatsappFalls = pgTable(
  'whatsapp_falls',
  {
    id: bigint('id', { mode: 'number' }).notNull().generatedByDefaultAsIdentity(),
    companyId: companyId(),
    whatsappId: integer('whatsapp_id').notNull(),
    /** An error code. */
    reason: text('reason').notNull(),
    /** The network's own code. */
    code: text('code').notNull().default(''),
    at: instantColumn('at').notNull().default(sql`now()`),
    /** When it ends without an order; null where that is not known. */
    until: instantColumn('until'),
    /** When the connection was back. */
    backAt: instantColumn('back_at'),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('whatsapp_falls_connection').on(table.companyId, table.whatsappId, table.id),
    foreignKey({
      columns: [table.companyId, table.whatsappId],
      foreignColumns: [whatsapps.companyId, whatsapps.id],
    }).onDelete('cascade'),
  ],
)

/** Leases: the process that runs a connection. The epoch rises with each owner and fences its writes. */
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

/** Processes that run connections, each until the end of its last lease. Of the platform: no company sees it. */
export const channelProcesses = pgTable('channel_processes', {
  instance: text('instance').primaryKey(),
  expiresAt: instantColumn('expires_at').notNull(),
})

/** Credentials and Signal keys, encrypted: with them the account can be used. */
export const whatsappKeys = pgTable(
  'whatsapp_keys',
  {
    companyId: companyId(),
    whatsappId: integer('whatsapp_id').notNull(),
    type: text('type').notNull(),
    id: text('id').notNull().$type<ExternalId>(),
    value: text('value').notNull(),
    /** When it was written, of what is deleted soon after; null for keys. */
    passingSince: instantColumn('passing_since'),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.whatsappId, table.type, table.id] }),
    index('whatsapp_keys_passing').using('brin', table.passingSince),
    foreignKey({
      columns: [table.companyId, table.whatsappId],
      foreignColumns: [whatsapps.companyId, whatsapps.id],
    }).onDelete('cascade'),
  ],
)

/** Settings of the official API, and the state that Meta reports. */
export const whatsappCloud = pgTable(
  'whatsapp_cloud',
  {
    companyId: companyId(),
    whatsappId: integer('whatsapp_id').notNull(),
    phoneNumberId: text('phone_number_id').notNull().default(''),
    businessAccountId: text('business_account_id').notNull().default(''),
    /** Encrypted, like the two below. */
    accessToken: text('access_token').notNull().default(''),
    appSecret: text('app_secret').notNull().default(''),
    verifyToken: text('verify_token').notNull().default(''),
    /** The secret part of the webhook's address. */
    webhookKey: text('webhook_key').notNull(),
    /**
     * Of a connection that Meta's embedded sign-up added, whose webhooks come to its own address: what the session asks of the
     * phone's app next (`contacts`, `history`), or `done`. Empty for one whose credentials an admin entered.
     */
    signUp: text('sign_up').notNull().default('').$type<'' | 'contacts' | 'history' | 'done'>(),
    name: text('name').notNull().default(''),
    quality: text('quality').notNull().default(''),
    messagingLimit: text('messaging_limit').notNull().default(''),
    throughput: text('throughput').notNull().default(''),
    /** Of the number, as Meta names it: CONNECTED, FLAGGED, RESTRICTED, BANNED … */
    numberStatus: text('number_status').notNull().default(''),
    nameStatus: text('name_status').notNull().default(''),
    /** Of the account: SCHEDULE_FOR_DISABLE, DISABLE, or nothing; with Meta's date as it is written. */
    banState: text('ban_state').notNull().default(''),
    banDate: text('ban_date').notNull().default(''),
    banAt: instantColumn('ban_at'),
    restrictions: jsonb('restrictions').notNull().default([]).$type<CloudHealth['restrictions']>(),
    restrictedAt: instantColumn('restricted_at'),
    violation: text('violation').notNull().default(''),
    violatedAt: instantColumn('violated_at'),
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

export const sealedOfConnections = [
  ...sealedIn(
    whatsapps,
    {
      what: 'a pairing code',
      todo: '',
      forget: (on, { companyId: id, keys }) =>
        on.execute(
          sql`update whatsapps set qrcode = '', pairing_code = '' where company_id = ${id} and id in ${keysAt(keys)}`,
        ),
    },
    ...[whatsapps.qrcode, whatsapps.pairingCode],
  ),
  ...sealedIn(
    whatsappKeys,
    {
      what: 'the keys of a WhatsApp number',
      todo: 'pair the number again on the screen of connections',
      // one key alone is of no use: the session of the number is over
      async forget(on, { companyId: id, keys }) {
        const numbers = keysAt(keys)
        await on.execute(
          sql`delete from whatsapp_keys where company_id = ${id} and whatsapp_id in ${numbers}`,
        )
        await on.execute(sql`update whatsapps set status = 'DISCONNECTED', status_reason = 'ERR_WAPP_LOGGED_OUT',
          status_until = null, wanted = 'off', qrcode = '', pairing_code = ''
          where company_id = ${id} and id in ${numbers} and status <> 'REMOVING'`)
      },
    },
    whatsappKeys.value,
  ),
  ...sealedIn(
    whatsappCloud,
    {
      what: 'the token of a number of the official API',
      todo: 'enter token and app secret again in the dialog of the connection',
      forget: (on, { companyId: id, keys }) =>
        on.execute(sql`update whatsapp_cloud set access_token = '', app_secret = '', verify_token = ''
          where company_id = ${id} and whatsapp_id in ${keysAt(keys)}`),
    },
    ...[whatsappCloud.accessToken, whatsappCloud.appSecret, whatsappCloud.verifyToken],
  ),
]
