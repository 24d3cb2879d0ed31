import type { BotCall } from '@balcao/contract/bots.talk.ts'
import type { PageQuery } from '@balcao/contract/kit.ts'
import { onePage } from '../../platform/lists/lists.ts'
import { claimIn, dueOfEach, settleIn } from '../../platform/outbound/webhook-deliveries.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { and, desc, eq, gt, inArray, isNotNull, isNull } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import type { LeasedValues } from '../../platform/work/leases.ts'
import { lifetime } from '../../platform/work/retention.ts'
import { botCalls, botSetups } from './bots.table.ts'

type CallRow = typeof botCalls.$inferInsert

/** The same call twice is written once. */
export const insertCall = (tx: Tx, values: Omit<CallRow, 'companyId'>) =>
  tx.sql
    .insert(botCalls)
    .values({ ...values, companyId: tx.companyId })
    .onConflictDoNothing()

/** Deletes calls that were not sent yet. */
export const deleteWaitingCalls = (tx: Tx, botSetupId: number) =>
  tx.sql
    .delete(botCalls)
    .where(
      and(
        eq(botCalls.companyId, tx.companyId),
        eq(botCalls.botSetupId, botSetupId),
        isNotNull(botCalls.dueAt),
      ),
    )

/** Calls of all companies that are due. */
export const callsDue = (sql: Sql) => dueOfEach(sql, botCalls, botCalls.botSetupId)

/** See `claimIn`. */
export const claimCall = (tx: Tx, id: string) => claimIn(tx, botCalls, id)

/** See `settleIn`. */
export const settleCall = (tx: Tx, id: string, values: LeasedValues<typeof botCalls>, until?: string) =>
  settleIn(tx, botCalls, id, values, until)

const callColumns = {
  id: botCalls.id,
  botSetupId: botCalls.botSetupId,
  number: botCalls.number,
  ticketId: botCalls.ticketId,
  url: botCalls.url,
  body: botCalls.body,
  state: botCalls.state,
  attempts: botCalls.attempts,
  dueAt: botCalls.dueAt,
  status: botCalls.status,
  error: botCalls.error,
  createdAt: botCalls.createdAt,
  triedAt: botCalls.triedAt,
}

export async function findCall(tx: Tx, id: string): Promise<BotCall | null> {
  const [row] = await tx.sql
    .select(callColumns)
    .from(botCalls)
    .where(and(eq(botCalls.companyId, tx.companyId), eq(botCalls.id, id)))
  return row ?? null
}

/** Whether the conversation of a call waits for the answer to a later one. */
export async function wasAskedSince(tx: Tx, id: string): Promise<boolean> {
  const call = await findCall(tx, id)
  if (!call?.ticketId) return false
  const rows = await tx.sql
    .select({ id: botCalls.id })
    .from(botCalls)
    .where(
      and(
        eq(botCalls.companyId, tx.companyId),
        eq(botCalls.botSetupId, call.botSetupId),
        eq(botCalls.ticketId, call.ticketId),
        isNotNull(botCalls.awaitedSeconds),
        gt(botCalls.createdAt, call.createdAt),
      ),
    )
    .limit(1)
  return rows.length > 0
}

/** One page of a bot's calls, the newest first. */
export async function listCalls(tx: Tx, botSetupId: number, asked: PageQuery) {
  const found = tx.sql
    .select(callColumns)
    .from(botCalls)
    .where(and(eq(botCalls.companyId, tx.companyId), eq(botCalls.botSetupId, botSetupId)))
    .orderBy(desc(botCalls.createdAt), desc(botCalls.id))
  const { rows, hasMore } = await onePage(asked, (limit, offset) => found.limit(limit).offset(offset))
  return { calls: rows, hasMore }
}

/** Sealed; null before the first use. Locked, so that of two callers one makes it. */
export async function secretOf(tx: Tx, botSetupId: number): Promise<string | null> {
  const [row] = await tx.sql
    .select({ secret: botSetups.webhookSecret })
    .from(botSetups)
    .where(and(eq(botSetups.companyId, tx.companyId), eq(botSetups.id, botSetupId)))
    .for('update')
  return row?.secret ?? null
}

export const keepSecret = (tx: Tx, botSetupId: number, webhookSecret: string) =>
  tx.sql
    .update(botSetups)
    .set({ webhookSecret })
    .where(and(eq(botSetups.companyId, tx.companyId), eq(botSetups.id, botSetupId)))

/** Deletes calls about tickets of a deleted contact. */
export const forgetCalls = (tx: Tx, ticketIds: number[]) =>
  tx.sql
    .delete(botCalls)
    .where(and(eq(botCalls.companyId, tx.companyId), inArray(botCalls.ticketId, ticketIds)))

// what waits for another try stays
export const botLifetimes = [lifetime(botCalls, botCalls.createdAt, 90, isNull(botCalls.dueAt))]
