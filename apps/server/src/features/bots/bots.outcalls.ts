import type { BotCall } from '@balcao/contract/bots.talk.ts'
import type { PageQuery } from '@balcao/contract/kit.ts'
import type { Sql } from '../../platform/db.ts'
import { onePage } from '../../platform/lists.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, desc, eq } from '../../platform/sql.ts'
import { claimIn, dueOfEach, settleIn } from '../../platform/webhooks.due.ts'
import { botCalls, botSetups } from './bots.table.ts'

type Row = typeof botCalls.$inferInsert

/** The same call twice is written once. */
export const insertCall = (tx: Tx, values: Omit<Row, 'companyId'>) =>
  tx.sql
    .insert(botCalls)
    .values({ ...values, companyId: tx.companyId })
    .onConflictDoNothing()

/** Calls of all companies whose time has come. */
export const callsDue = (sql: Sql) => dueOfEach(sql, botCalls, botCalls.botSetupId)

/** See `claimIn`. */
export const claimCall = (tx: Tx, id: string, until: string) => claimIn(tx, botCalls, id, until)

/** See `settleIn`. */
export const settleCall = (tx: Tx, id: string, values: Partial<Row>, until?: string) =>
  settleIn(tx, botCalls, id, values, until)

const shown = {
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
    .select(shown)
    .from(botCalls)
    .where(and(eq(botCalls.companyId, tx.companyId), eq(botCalls.id, id)))
  return row ?? null
}

/** One page of a bot's calls, the newest first. */
export async function listCalls(tx: Tx, botSetupId: number, asked: PageQuery) {
  const found = tx.sql
    .select(shown)
    .from(botCalls)
    .where(and(eq(botCalls.companyId, tx.companyId), eq(botCalls.botSetupId, botSetupId)))
    .orderBy(desc(botCalls.createdAt), desc(botCalls.id))
  const { rows, hasMore } = await onePage(asked, (limit, offset) => found.limit(limit).offset(offset))
  return { calls: rows, hasMore }
}

/** Sealed; null while none was made. Locked, so that two who ask at once make one. */
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
