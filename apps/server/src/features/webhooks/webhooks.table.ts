import type { DeliveryError } from '@balcao/contract/deliveries.ts'
import type { DeliveryEvent, Webhook, WebhookEvent } from '@balcao/contract/webhooks.ts'
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
import { keysAt, sealedIn } from '../../platform/access/sealed.ts'
import { newSigningSecret } from '../../platform/outbound/webhooks.ts'
import {
  bigSerial,
  companyId,
  deliveredColumns,
  instantColumn,
  serialId,
} from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { companies } from '../companies/companies.table.ts'
import { users } from '../users/users.table.ts'

export const webhooks = pgTable(
  'webhooks',
  {
    id: serialId(),
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** Who set its address. */
    userId: integer('user_id'),
    url: text('url').notNull(),
    /** Sealed; what its deliveries are signed with. */
    secret: text('secret').notNull(),
    events: text('events').array().notNull().$type<WebhookEvent[]>(),
    isActive: boolean('is_active').notNull(),
    offReason: text('off_reason').notNull().default('').$type<Webhook['offReason']>(),
    createdAt: instantColumn('created_at').notNull().default(sql`now()`),
    failingSince: instantColumn('failing_since'),
    failedAt: instantColumn('failed_at'),
    failedStatus: integer('failed_status'),
    failedError: text('failed_error').notNull().default('').$type<DeliveryError>(),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('webhooks_active').on(table.companyId).where(sql`${table.isActive}`),
    foreignKey({ columns: [table.companyId, table.userId], foreignColumns: [users.companyId, users.id] }),
  ],
)

/** The deliveries of webhooks: their outbox, and its log. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    companyId: companyId(),
    id: uuid('id').notNull().default(sql`gen_random_uuid()`),
    webhookId: integer('webhook_id').notNull(),
    /** The order in which things happened. */
    position: bigSerial('position').notNull(),
    event: text('event').notNull().$type<DeliveryEvent>(),
    /** Its cause: a webhook is notified once per cause. */
    cause: text('cause').notNull(),
    /** No foreign key: it may go before. */
    ticketId: integer('ticket_id'),
    /** The very text that is signed and sent. */
    body: text('body').notNull(),
    ...deliveredColumns(),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('webhook_deliveries_cause').on(table.companyId, table.webhookId, table.cause),
    index('webhook_deliveries_waiting')
      .on(table.companyId, table.webhookId, table.dueAt)
      .where(sql`${table.dueAt} is not null`),
    // of a webhook that is switched off nothing else is due
    index('webhook_deliveries_pings')
      .on(table.companyId, table.webhookId, table.dueAt)
      .where(sql`${table.dueAt} is not null and ${table.event} = 'ping'`),
    index('webhook_deliveries_ticket')
      .on(table.companyId, table.webhookId, table.ticketId, table.position)
      .where(sql`${table.dueAt} is not null`),
    index('webhook_deliveries_log').on(table.companyId, table.webhookId, table.position),
    index('webhook_deliveries_undone')
      .on(table.companyId, table.webhookId, table.state, table.position)
      .where(sql`${table.state} <> 'done'`),
    index('webhook_deliveries_old').on(table.createdAt),
    foreignKey({
      columns: [table.companyId, table.webhookId],
      foreignColumns: [webhooks.companyId, webhooks.id],
    }).onDelete('cascade'),
  ],
)

export const sealedOfWebhooks = sealedIn(
  webhooks,
  {
    what: 'the secret of a webhook',
    todo: 'read the new secret on the screen Webhooks, give it to the receiver, and switch the webhook on',
    forget: (on, { companyId: id, keys, seal }) =>
      on.execute(sql`update webhooks set is_active = false, off_reason = 'secretLost',
        secret = ${seal(newSigningSecret())} where company_id = ${id} and id in ${keysAt(keys)}`),
  },
  webhooks.secret,
)
