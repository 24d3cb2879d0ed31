import type { PageQuery } from '@balcao/contract/kit.ts'
import {
  DELIVERY_DAYS,
  type DeliveryEvent,
  type Webhook,
  type WebhookDelivery,
  type WebhookEvent,
} from '@balcao/contract/webhooks.ts'
import { databaseTime } from '../../platform/clock.ts'
import { refuse } from '../../platform/errors.ts'
import { containing, onePage } from '../../platform/lists/lists.ts'
import { claimIn, dueOfEach, RECEIVER, settleIn } from '../../platform/outbound/webhook-deliveries.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { and, asc, count, desc, eq, inArray, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import type { LeasedValues } from '../../platform/work/leases.ts'
import { namesOf } from '../users/users.owned.queries.ts'
import { causeOfReceived, type WebhookNotification } from './webhooks.rules.ts'
import { webhookDeliveries as deliveries, webhooks } from './webhooks.table.ts'

export type WebhookRow = typeof webhooks.$inferSelect
type DeliveryRow = typeof deliveries.$inferInsert

/** One page by name. */
export async function listWebhooks(tx: Tx, asked: PageQuery) {
  const found = tx.sql
    .select()
    .from(webhooks)
    .where(
      and(eq(webhooks.companyId, tx.companyId), containing(asked.searchParam, webhooks.name, webhooks.url)),
    )
    .orderBy(asc(tag`folded(${webhooks.name})`), asc(webhooks.id))
  const { rows, hasMore } = await onePage(asked, (limit, offset) => found.limit(limit).offset(offset))
  return { webhooks: rows.map(shownWebhook), hasMore }
}

/** Refuses with ERR_NOT_FOUND. */
export async function findWebhook(tx: Tx, webhookId: number): Promise<Webhook> {
  const row = await webhookOrNull(tx, webhookId)
  return row ? shownWebhook(row) : refuse('ERR_NOT_FOUND', { field: 'webhookId' })
}

/** The row with its secret; null when there is none. */
export async function webhookOrNull(tx: Tx, webhookId: number): Promise<WebhookRow | null> {
  const [row] = await tx.sql.select().from(webhooks).where(own(tx, webhookId))
  return row ?? null
}

/** The row, locked; null when there is none. */
export async function lockWebhook(tx: Tx, webhookId: number): Promise<WebhookRow | null> {
  const [row] = await tx.sql.select().from(webhooks).where(own(tx, webhookId)).for('no key update')
  return row ?? null
}

export async function countWebhooks(tx: Tx): Promise<number> {
  await tx.sql.execute(tag`select pg_advisory_xact_lock(hashtext('webhooks'), ${tx.companyId})`)
  const [row] = await tx.sql.select({ count: count() }).from(webhooks).where(ofCompany(tx))
  return row!.count
}

export async function insertWebhook(
  tx: Tx,
  values: Omit<typeof webhooks.$inferInsert, 'companyId'>,
): Promise<Webhook> {
  const [row] = await tx.sql
    .insert(webhooks)
    .values({ ...values, companyId: tx.companyId })
    .returning()
  return shownWebhook(row!)
}

export async function updateWebhook(
  tx: Tx,
  webhookId: number,
  values: Partial<typeof webhooks.$inferInsert>,
): Promise<Webhook> {
  const [row] = await tx.sql.update(webhooks).set(values).where(own(tx, webhookId)).returning()
  return shownWebhook(row!)
}

export const updateWebhooksOf = (tx: Tx, userId: number, values: Partial<typeof webhooks.$inferInsert>) =>
  tx.sql
    .update(webhooks)
    .set(values)
    .where(and(ofCompany(tx), eq(webhooks.userId, userId)))
    .returning({ name: webhooks.name })

/** The active webhooks whose address this user set. */
export const activeWebhooksOf = (tx: Tx, userId: number) =>
  namesOf(tx, webhooks, userId, eq(webhooks.isActive, true))

export const deleteWebhook = (tx: Tx, webhookId: number) => tx.sql.delete(webhooks).where(own(tx, webhookId))

/** The events that active webhooks of each company subscribe to. */
export const subscriptions = (sql: Sql) =>
  sql
    .select({
      companyId: webhooks.companyId,
      events: tag<WebhookEvent[]>`array_agg(distinct subscribed.event)`,
    })
    .from(webhooks)
    .crossJoin(tag`unnest(${webhooks.events}) as subscribed(event)`)
    .where(eq(webhooks.isActive, true))
    .groupBy(webhooks.companyId)

/** One delivery per notification and subscribed webhook, once by its cause. */
export async function writeDeliveries(tx: Tx, notifications: WebhookNotification[]): Promise<void> {
  const now = databaseTime()
  const rows = notifications.map(({ event, cause, ticketId, data }, at) => ({
    ...{ at, event, cause, ticketId },
    body: JSON.stringify({ type: event, timestamp: now, data }),
  }))
  await tx.sql.execute(tag`
    insert into webhook_deliveries (company_id, webhook_id, event, cause, ticket_id, body, due_at)
    select w.company_id, w.id, n.event, n.cause, n."ticketId", n.body, ${now}
    from json_to_recordset(${JSON.stringify(rows)})
      as n(at int, event text, cause text, "ticketId" int, body text)
    join webhooks w on w.company_id = ${tx.companyId} and w.is_active and n.event = any (w.events)
    order by n.at, w.id
    on conflict do nothing`)
}

/** A delivery that a user requested. */
export async function writeOne(
  tx: Tx,
  {
    id,
    webhookId,
    event,
    body,
  }: Pick<Required<DeliveryRow>, 'id' | 'webhookId' | 'body'> & {
    event: DeliveryEvent
  },
): Promise<WebhookDelivery> {
  const [row] = await tx.sql
    .insert(deliveries)
    .values({
      ...{ id, webhookId, event, body, companyId: tx.companyId },
      cause: `${event} ${id}`,
      dueAt: databaseTime(),
    })
    .returning(shown)
  return row!
}

/** After so many tries later events of the ticket overtake the delivery. */
const TRIES_IN_ORDER = 3

/**
 * The due deliveries of all companies. Deliveries of a ticket leave in their order; behind one that failed a few times
 * the next one does not wait any longer. An inactive webhook receives nothing but a ping, and what waits for it is not
 * read: its rows may be many.
 */
export const deliveriesDue = (sql: Sql) =>
  dueOfEach(sql, deliveries, deliveries.webhookId, [
    tag`exists (select from webhooks w where w.company_id = ${RECEIVER.company} and w.id = ${RECEIVER.id}
        and w.is_active)
      and not exists (select from webhook_deliveries earlier where earlier.company_id = ${deliveries.companyId}
        and earlier.webhook_id = ${deliveries.webhookId} and earlier.ticket_id = ${deliveries.ticketId}
        and earlier.position < ${deliveries.position} and earlier.due_at is not null
        and earlier.attempts < ${TRIES_IN_ORDER})`,
    tag`not exists (select from webhooks w where w.company_id = ${RECEIVER.company} and w.id = ${RECEIVER.id}
        and w.is_active)
      and ${deliveries.event} = 'ping'`,
  ])

/** See `claimIn`. */
export const claimDelivery = (tx: Tx, id: string) => claimIn(tx, deliveries, id)

/** See `settleIn`. */
export const settleDelivery = (tx: Tx, id: string, values: LeasedValues<typeof deliveries>, until?: string) =>
  settleIn(tx, deliveries, id, values, until)

const shown = {
  id: deliveries.id,
  webhookId: deliveries.webhookId,
  event: deliveries.event,
  body: deliveries.body,
  state: deliveries.state,
  attempts: deliveries.attempts,
  dueAt: deliveries.dueAt,
  status: deliveries.status,
  error: deliveries.error,
  createdAt: deliveries.createdAt,
  triedAt: deliveries.triedAt,
}

/** Refuses with ERR_NOT_FOUND. */
export async function findDelivery(tx: Tx, id: string): Promise<WebhookDelivery> {
  const [row] = await tx.sql
    .select(shown)
    .from(deliveries)
    .where(and(eq(deliveries.companyId, tx.companyId), eq(deliveries.id, id)))
  return row ?? refuse('ERR_NOT_FOUND', { field: 'deliveryId' })
}

/** One page of a webhook's deliveries, the newest first. */
export async function listDeliveries(
  tx: Tx,
  webhookId: number,
  { state, ...asked }: PageQuery & { state?: WebhookDelivery['state'] | '' | undefined },
) {
  const found = tx.sql
    .select(shown)
    .from(deliveries)
    .where(
      and(
        eq(deliveries.companyId, tx.companyId),
        eq(deliveries.webhookId, webhookId),
        state ? eq(deliveries.state, state) : undefined,
        state && state !== 'done' ? tag`${deliveries.state} <> 'done'` : undefined,
      ),
    )
    .orderBy(desc(deliveries.position))
  const { rows, hasMore } = await onePage(asked, (limit, offset) => found.limit(limit).offset(offset))
  return { deliveries: rows, hasMore }
}

/** Deletes what is older than the log reaches back, whatever its state. */
export const forgetDeliveries = (sql: Sql) =>
  sql
    .delete(deliveries)
    .where(tag`${deliveries.createdAt} < now() - make_interval(days => ${DELIVERY_DAYS}::int)`)

const shownWebhook = ({ companyId: _, secret: _secret, ...row }: WebhookRow): Webhook => {
  const { failedAt, failedStatus, failedError, ...webhook } = row
  return {
    ...webhook,
    lastFailure: failedAt === null ? null : { at: failedAt, status: failedStatus, error: failedError },
  }
}

const ofCompany = (tx: Tx) => eq(webhooks.companyId, tx.companyId)
const own = (tx: Tx, webhookId: number) => and(ofCompany(tx), eq(webhooks.id, webhookId))

/** Removes the text of these messages from deliveries, sent or waiting. */
export async function blankDeliveries(tx: Tx, messageIds: string[]): Promise<void> {
  const those = tx.sql.select({ id: webhooks.id }).from(webhooks).where(ofCompany(tx))
  const found = await tx.sql
    .select({ id: deliveries.id, body: deliveries.body })
    .from(deliveries)
    .where(
      and(
        eq(deliveries.companyId, tx.companyId),
        inArray(deliveries.webhookId, those),
        inArray(deliveries.cause, messageIds.map(causeOfReceived)),
      ),
    )
    .for('update')
  for (const { id, body } of found) {
    const sent = JSON.parse(body) as { data: object }
    const blank = { ...sent, data: { ...sent.data, body: '', mediaType: null } }
    await tx.sql
      .update(deliveries)
      .set({ body: JSON.stringify(blank) })
      .where(and(eq(deliveries.companyId, tx.companyId), eq(deliveries.id, id)))
  }
}

/** Deletes the deliveries of tickets of a contact who is forgotten, sent or waiting. */
export const deleteDeliveriesOf = (tx: Tx, ticketIds: number[]) =>
  tx.sql
    .delete(deliveries)
    .where(and(eq(deliveries.companyId, tx.companyId), inArray(deliveries.ticketId, ticketIds)))
