import type { Sql } from '../../platform/db.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, desc, eq, gt, gte, isNull, lte, max, notInArray, or, sql as tag } from '../../platform/sql.ts'
import { isAtWork } from '../companies/companies.standing.ts'
import { messages } from '../messages/messages.table.ts'
import { gptDialogs } from './botConfigs.table.ts'

export type DialogRow = typeof gptDialogs.$inferSelect

/** The living dialog of a ticket, locked until the transaction ends; null when none lives. */
export const lockDialogOf = (tx: Tx, ticketId: number) => lockOne(tx, eq(gptDialogs.ticketId, ticketId))

/** The living dialog of a simulator, locked; null when none lives. */
export const lockTrialOf = (tx: Tx, botConfigId: number) =>
  lockOne(tx, and(isNull(gptDialogs.ticketId), eq(gptDialogs.botConfigId, botConfigId)))

export const lockDialog = (tx: Tx, dialogId: number) => lockOne(tx, eq(gptDialogs.id, dialogId))

async function lockOne(tx: Tx, which: ReturnType<typeof and>): Promise<DialogRow | null> {
  const [row] = await tx.sql
    .select()
    .from(gptDialogs)
    .where(and(eq(gptDialogs.companyId, tx.companyId), which, isNull(gptDialogs.endedAt)))
    .for('update')
  return row ?? null
}

export async function dialogOr(tx: Tx, dialogId: number): Promise<DialogRow | null> {
  const [row] = await tx.sql
    .select()
    .from(gptDialogs)
    .where(and(eq(gptDialogs.companyId, tx.companyId), eq(gptDialogs.id, dialogId)))
  return row ?? null
}

export const insertDialog = (
  tx: Tx,
  dialog: Pick<typeof gptDialogs.$inferInsert, 'ticketId' | 'botConfigId' | 'fromPosition' | 'turn'> & Wait,
) => tx.sql.insert(gptDialogs).values({ ...withDue(dialog), companyId: tx.companyId })

type Wait = { dueFor?: 'answer' | 'silence' | null; dueInMs?: number }
type Change = Partial<Omit<DialogRow, 'id' | 'companyId' | 'dueAt' | 'dueFor'>> & Wait

/** The database's clock decides what is due, so it also says when. */
const withDue = <T extends Wait>({ dueInMs, ...fields }: T) => ({
  ...fields,
  ...(fields.dueFor !== undefined && {
    dueAt: fields.dueFor === null ? null : tag`now() + ${dueInMs ?? 0} * interval '1 millisecond'`,
  }),
})

export const saveDialog = (tx: Tx, dialogId: number, change: Change) =>
  tx.sql
    .update(gptDialogs)
    .set(withDue(change))
    .where(and(eq(gptDialogs.companyId, tx.companyId), eq(gptDialogs.id, dialogId)))

/** Behind everything that was said on a ticket until now. */
export async function nextPosition(tx: Tx, ticketId: number): Promise<number> {
  const [row] = await tx.sql
    .select({ last: max(messages.position) })
    .from(messages)
    .where(and(eq(messages.companyId, tx.companyId), eq(messages.ticketId, ticketId)))
  return (row?.last ?? 0) + 1
}

const MOST_MESSAGES = 200

/** What was said in a dialog, oldest first; of a long one the newest. What waits for its time was not said yet. */
export async function wordsOf(tx: Tx, ticketId: number, fromPosition: number) {
  const rows = await tx.sql
    .select({
      body: messages.body,
      fromMe: messages.fromMe,
      mediaType: messages.mediaType,
      mediaUrl: messages.mediaUrl,
      media: messages.media,
      createdAt: messages.createdAt,
    })
    .from(messages)
    .where(
      and(
        eq(messages.companyId, tx.companyId),
        eq(messages.ticketId, ticketId),
        gte(messages.position, fromPosition),
        eq(messages.isDeleted, false),
        isNull(messages.dueAt),
      ),
    )
    .orderBy(desc(messages.position), desc(messages.id))
    .limit(MOST_MESSAGES)
  return rows.reverse()
}

export interface Claim {
  companyId: number
  id: number
  turn: number
  dueFor: 'answer' | 'silence'
}

/** Takes what is due for so many seconds, so that no other worker has it; companies that have enough under way wait. */
export async function claimDialogs(
  sql: Sql,
  most: number,
  busy: number[],
  leaseSeconds: number,
): Promise<Claim[]> {
  const found = await sql
    .select({
      companyId: gptDialogs.companyId,
      id: gptDialogs.id,
      turn: tag<number>`${gptDialogs.turn} + 1`,
      dueFor: tag<Claim['dueFor']>`${gptDialogs.dueFor}`,
    })
    .from(gptDialogs)
    .where(
      and(
        lte(gptDialogs.dueAt, tag`now()`),
        or(isNull(gptDialogs.leaseUntil), lte(gptDialogs.leaseUntil, tag`now()`)),
        // what is only tried reaches no customer
        or(isNull(gptDialogs.ticketId), isAtWork(gptDialogs.companyId)),
        busy.length > 0 ? notInArray(gptDialogs.companyId, busy) : undefined,
      ),
    )
    .orderBy(gptDialogs.dueAt)
    .limit(most)
    .for('update', { skipLocked: true })
  if (found.length > 0)
    await sql
      .update(gptDialogs)
      .set({ turn: tag`${gptDialogs.turn} + 1`, leaseUntil: leaseOf(leaseSeconds) })
      .where(or(...found.map(isOne)))
  return found
}

/** Keeps what was claimed for so many seconds more; what went on without its claim, or lost it, is left alone. */
export const renewClaims = (sql: Sql, claims: Claim[], leaseSeconds: number) =>
  sql
    .update(gptDialogs)
    .set({ leaseUntil: leaseOf(leaseSeconds) })
    .where(
      and(
        gt(gptDialogs.leaseUntil, tag`now()`),
        or(...claims.map(claim => and(isOne(claim), eq(gptDialogs.turn, claim.turn)))),
      ),
    )

const isOne = ({ companyId, id }: Pick<Claim, 'companyId' | 'id'>) =>
  and(eq(gptDialogs.companyId, companyId), eq(gptDialogs.id, id))

const leaseOf = (seconds: number) => tag`now() + ${seconds} * interval '1 second'`
