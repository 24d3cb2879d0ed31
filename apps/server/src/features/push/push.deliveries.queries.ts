import { randomUUID } from 'node:crypto'
import { PUSH_MINUTES } from '@balcao/contract/push.ts'
import { databaseTime } from '../../platform/clock.ts'
import { claimIn, dueOfEach, settleIn } from '../../platform/outbound/webhook-deliveries.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { and, eq, inArray, isNull, rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import type { LeasedValues } from '../../platform/work/leases.ts'
import { lifetime } from '../../platform/work/retention.ts'
import type { Notification } from './push.rules.ts'
import { pushDeliveries as deliveries } from './push.table.ts'

export type PushDelivery = typeof deliveries.$inferSelect

/**
 * One delivery per notification and device of whom it concerns, once by its cause; answers whether there is any. Who may see the
 * ticket is asked when it leaves.
 */
export async function writeNotifications(tx: Tx, notifications: Notification[]): Promise<boolean> {
  const [row] = await rowsFrom<{ is: boolean }>(
    tx.sql,
    tag`with written as (
    insert into push_deliveries (company_id, subscription_id, kind, cause, ticket_id, message_id, due_at)
    select s.company_id, s.id, n.kind, n.cause, n."ticketId", n."messageId", ${databaseTime()}
    from json_to_recordset(${JSON.stringify(notifications.map((one, at) => ({ at, ...one })))})
      as n(at int, kind text, cause text, "ticketId" int, "messageId" uuid, "userId" int, "queueId" int)
    join push_subscriptions s on s.company_id = ${tx.companyId}
      and (n.kind = 'queue' or s.user_id = n."userId")
    left join push_settings p on p.company_id = s.company_id and p.user_id = s.user_id
    where case n.kind when 'mine' then coalesce(p.mine, true) when 'mention' then coalesce(p.mentions, true)
      else coalesce(p.queues, true) and (n."queueId" is null or exists (select from user_queues q
        where q.company_id = s.company_id and q.user_id = s.user_id and q.queue_id = n."queueId")) end
    order by n.at, s.id
    on conflict do nothing returning id)
    select exists (select from written) as is`,
  )
  return row!.is
}

/** Notifications for trying out, one for each of these devices. */
export const writeTests = (tx: Tx, subscriptionIds: number[]) =>
  tx.sql.insert(deliveries).values(
    subscriptionIds.map(subscriptionId => ({
      ...{ companyId: tx.companyId, subscriptionId, kind: 'test' as const },
      ...{ cause: `test ${randomUUID()}`, dueAt: databaseTime() },
    })),
  )

export const notificationsDue = (sql: Sql) => dueOfEach(sql, deliveries, deliveries.subscriptionId)

/** See `claimIn`. */
export const claimNotification = (tx: Tx, id: string) => claimIn(tx, deliveries, id)

/** See `settleIn`. */
export const settleNotification = (
  tx: Tx,
  id: string,
  values: LeasedValues<typeof deliveries>,
  until?: string,
) => settleIn(tx, deliveries, id, values, until)

/** It is not shown any more. */
export const dropDelivery = (tx: Tx, id: string) =>
  tx.sql.delete(deliveries).where(and(eq(deliveries.companyId, tx.companyId), eq(deliveries.id, id)))

/** Whether it is too old, or a later one of its ticket waits for the same device, or is shown there: it would replace that. */
export async function isOvertaken(tx: Tx, delivery: PushDelivery): Promise<boolean> {
  const [row] = await rowsFrom<{ is: boolean }>(
    tx.sql,
    tag`select ${delivery.createdAt}::timestamptz < now() - make_interval(mins => ${PUSH_MINUTES}::int)
      or exists (select from push_deliveries later where later.company_id = ${tx.companyId}
        and later.subscription_id = ${delivery.subscriptionId} and later.ticket_id = ${delivery.ticketId}
        and later.kind = ${delivery.kind} and later.position > ${delivery.position} and later.state <> 'failed') as is`,
  )
  return row!.is
}

/** Whether a mention by this note is unread. */
export async function isMentionUnread(tx: Tx, userId: number, messageId: string): Promise<boolean> {
  const rows = await rowsFrom(
    tx.sql,
    tag`select from mentions where company_id = ${tx.companyId} and message_id = ${messageId}
      and user_id = ${userId} and read_at is null`,
  )
  return rows.length > 0
}

/** Counted at most. */
const MOST = 99

/** How many tickets wait for a user: own ones with unread messages, and pending ones of own queues. */
export async function countWaiting(tx: Tx, userId: number): Promise<number> {
  const [row] = await rowsFrom<{ count: number }>(
    tx.sql,
    tag`select count(*)::int as count from (
      select t.id from tickets t where t.company_id = ${tx.companyId} and t.status = 'open' and t.user_id = ${userId}
        and t.unread_messages > 0 and t.snoozed_until is null
      union all
      select t.id from user_queues q join tickets t on t.company_id = q.company_id and t.queue_id = q.queue_id
        and t.status = 'pending' and t.snoozed_until is null
        where q.company_id = ${tx.companyId} and q.user_id = ${userId}
      limit ${MOST}) waiting`,
  )
  return row!.count
}

/** Deletes the deliveries of tickets of a contact who is forgotten. */
export const dropOfTickets = (tx: Tx, ticketIds: number[]) =>
  tx.sql
    .delete(deliveries)
    .where(and(eq(deliveries.companyId, tx.companyId), inArray(deliveries.ticketId, ticketIds)))

export const deliveriesLifetime = lifetime(deliveries, deliveries.createdAt, 2, isNull(deliveries.dueAt))
