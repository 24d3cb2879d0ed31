import type { PushKind } from '@balcao/contract/push.ts'
import {
  boolean,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { sealedIn } from '../../platform/access/sealed.ts'
import type { WordingLanguage } from '../../platform/http/wording.ts'
import {
  bigSerial,
  companyId,
  deliveredColumns,
  instantColumn,
  serialId,
} from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { sessions } from '../auth/auth.table.ts'
import { users } from '../users/users.table.ts'

/** The keys with which the installation shows push services who sends (VAPID); one row, of no company (0). */
export const pushKeys = pgTable(
  'push_keys',
  {
    companyId: companyId(),
    publicKey: text('public_key').notNull(),
    /** Sealed. */
    privateKey: text('private_key').notNull(),
    createdAt: instantColumn('created_at').notNull().default(sql`now()`),
  },
  table => [primaryKey({ columns: [table.companyId] })],
)

/** Browsers that notify a user. Each is of the session that registered it, and ends with it in one commit. */
export const pushSubscriptions = pgTable(
  'push_subscriptions',
  {
    id: serialId(),
    companyId: companyId(),
    userId: integer('user_id').notNull(),
    sessionId: uuid('session_id').notNull(),
    /** At the push service. One row in the installation: a device is of who logged in last. */
    endpoint: text('endpoint').notNull(),
    /** What its messages are encrypted with. */
    p256dh: text('p256dh').notNull(),
    auth: text('auth').notNull(),
    device: text('device').notNull(),
    language: text('language').notNull().$type<WordingLanguage>(),
    createdAt: instantColumn('created_at').notNull().default(sql`now()`),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('push_subscriptions_endpoint').on(table.endpoint),
    index('push_subscriptions_user').on(table.companyId, table.userId, table.id),
    index('push_subscriptions_session').on(table.companyId, table.sessionId),
    foreignKey({
      columns: [table.companyId, table.userId],
      foreignColumns: [users.companyId, users.id],
    }).onDelete('cascade'),
    foreignKey({
      columns: [table.companyId, table.sessionId],
      foreignColumns: [sessions.companyId, sessions.id],
    }).onDelete('cascade'),
  ],
)

/** What the devices of a user notify of; without a row of everything. */
export const pushSettings = pgTable(
  'push_settings',
  {
    companyId: companyId(),
    userId: integer('user_id').notNull(),
    mine: boolean('mine').notNull().default(true),
    queues: boolean('queues').notNull().default(true),
    mentions: boolean('mentions').notNull().default(true),
    /** `HH:MM` by the company's clock. */
    quietFrom: text('quiet_from'),
    quietTo: text('quiet_to'),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.userId] }),
    foreignKey({
      columns: [table.companyId, table.userId],
      foreignColumns: [users.companyId, users.id],
    }).onDelete('cascade'),
  ],
)

/** Notifications: their outbox. It has no text: what is shown is read when it is sent. */
export const pushDeliveries = pgTable(
  'push_deliveries',
  {
    companyId: companyId(),
    id: uuid('id').notNull().default(sql`gen_random_uuid()`),
    subscriptionId: integer('subscription_id').notNull(),
    /** The order in which things happened. */
    position: bigSerial('position').notNull(),
    kind: text('kind').notNull().$type<PushKind>(),
    /** A device is notified once per cause. */
    cause: text('cause').notNull(),
    /** No foreign keys: they may go before. */
    ticketId: integer('ticket_id'),
    messageId: uuid('message_id'),
    ...deliveredColumns(),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('push_deliveries_cause').on(table.companyId, table.subscriptionId, table.cause),
    index('push_deliveries_waiting')
      .on(table.companyId, table.subscriptionId, table.dueAt)
      .where(sql`${table.dueAt} is not null`),
    index('push_deliveries_age').using('brin', table.createdAt),
    foreignKey({
      columns: [table.companyId, table.subscriptionId],
      foreignColumns: [pushSubscriptions.companyId, pushSubscriptions.id],
    }).onDelete('cascade'),
  ],
)

export const sealedOfPush = sealedIn(
  pushKeys,
  {
    what: 'the key of notifications on devices',
    todo: 'the next start makes a new one; each browser subscribes again when it opens the product',
    forget: on => on.execute(sql`delete from push_keys`),
  },
  pushKeys.privateKey,
)
