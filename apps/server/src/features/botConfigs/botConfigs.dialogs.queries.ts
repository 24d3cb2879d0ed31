import type { Sql } from '../../platform/postgres/db.ts'
import { given, statement } from '../../platform/postgres/prepared.ts'
import {
  and,
  desc,
  eq,
  gte,
  isNotNull,
  isNull,
  lte,
  max,
  ne,
  notInArray,
  or,
  sql as tag,
} from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { fromNow, isOver, isUnexpired } from '../../platform/work/leases.ts'
import { isAtWork } from '../companies/companies.status.queries.ts'
import { messages } from '../messages/messages.table.ts'
import { type DialogDue, gptDialogs } from './botConfigs.table.ts'

export type DialogRow = typeof gptDialogs.$inferSelect

/** The open dialog of a ticket, locked; null when there is none. */
export const lockDialogOf = (tx: Tx, ticketId: number) => lockOne(tx, eq(gptDialogs.ticketId, ticketId))

/** Those of the tickets that have an open dialog. */
export const ticketsWithDialog = statement(
  sql =>
    sql
      .selectDistinct({ ticketId: gptDialogs.ticketId })
      .from(gptDialogs)
      .where(
        and(
          eq(gptDialogs.companyId, given('companyId')),
          tag`${gptDialogs.ticketId} = any(${given('ticketIds')}::int[])`,
          isNull(gptDialogs.endedAt),
        ),
      )
      .orderBy(gptDialogs.ticketId),
  (ticketIds: number[]) => ({ ticketIds }),
)

/** The open dialog of a prompt's simulator, locked. */
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

type Wait = { dueFor?: DialogDue | null; dueInMs?: number }

type Change = Partial<Omit<DialogRow, 'id' | 'companyId' | 'dueAt' | 'dueFor'>> & Wait

/** Times by the database's clock, which decides what is due. */
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

/** The position after the last message of a ticket. */
export async function nextPosition(tx: Tx, ticketId: number): Promise<number> {
  const [row] = await tx.sql
    .select({ last: max(messages.position) })
    .from(messages)
    .where(and(eq(messages.companyId, tx.companyId), eq(messages.ticketId, ticketId)))
  return (row?.last ?? 0) + 1
}

/** Whether a model has not answered yet what a customer wrote. */
export async function owesAnswer(tx: Tx, ticketId: number): Promise<boolean> {
  const rows = await tx.sql
    .select({ id: gptDialogs.id })
    .from(gptDialogs)
    .where(
      and(
        eq(gptDialogs.companyId, tx.companyId),
        eq(gptDialogs.ticketId, ticketId),
        isNull(gptDialogs.endedAt),
        eq(gptDialogs.dueFor, 'answer'),
        isNotNull(gptDialogs.dueAt),
      ),
    )
  return rows.length > 0
}

const MOST_MESSAGES = 200

/** The newest messages of a dialog, oldest first, without those in the outbox and without notes. */
export async function messagesInDialog(tx: Tx, ticketId: number, fromPosition: number) {
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
        eq(messages.isPrivate, false),
        isNull(messages.dueAt),
        // lines of the chat: nothing that somebody wrote
        or(isNull(messages.mediaType), ne(messages.mediaType, 'chat_event')),
      ),
    )
    .orderBy(desc(messages.position), desc(messages.id))
    .limit(MOST_MESSAGES)
  return rows.reverse()
}

const MOST_NOTES = 20

/** The newest notes of a ticket, oldest first, also those from before a dialog: for prompts that read them alone. */
export async function notesOfTicket(tx: Tx, ticketId: number): Promise<string[]> {
  const rows = await tx.sql
    .select({ body: messages.body })
    .from(messages)
    .where(
      and(
        eq(messages.companyId, tx.companyId),
        eq(messages.ticketId, ticketId),
        eq(messages.isPrivate, true),
        eq(messages.isDeleted, false),
        ne(messages.body, ''),
      ),
    )
    .orderBy(desc(messages.position), desc(messages.id))
    .limit(MOST_NOTES)
  return rows.map(({ body }) => body).reverse()
}

export interface Claim {
  companyId: number
  id: number
  turn: number
  dueFor: DialogDue
}

/** Due dialogs without a lease, except of busy companies. */
export const dialogsDue = (sql: Sql, busy: number[]) =>
  sql
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
        or(isNull(gptDialogs.leaseUntil), isOver(gptDialogs.leaseUntil)),
        // a trial sends nothing, so a suspended company may make one
        or(isNull(gptDialogs.ticketId), isAtWork(gptDialogs.companyId)),
        busy.length > 0 ? notInArray(gptDialogs.companyId, busy) : undefined,
      ),
    )
    .orderBy(gptDialogs.dueAt)

/** Claims due dialogs by a lease. */
export async function claimDialogs(
  sql: Sql,
  most: number,
  busy: number[],
  leaseSeconds: number,
): Promise<Claim[]> {
  const found = await dialogsDue(sql, busy).limit(most).for('update', { skipLocked: true })
  if (found.length > 0)
    await sql
      .update(gptDialogs)
      .set({ turn: tag`${gptDialogs.turn} + 1`, leaseUntil: fromNow(leaseSeconds * 1_000) })
      .where(or(...found.map(isOne)))
  return found
}

/** Renews leases; one that is over or of a past turn stays as it is. */
export const renewClaims = (sql: Sql, claims: Claim[], leaseSeconds: number) =>
  sql
    .update(gptDialogs)
    .set({ leaseUntil: fromNow(leaseSeconds * 1_000) })
    .where(
      and(
        isUnexpired(gptDialogs.leaseUntil),
        or(...claims.map(claim => and(isOne(claim), eq(gptDialogs.turn, claim.turn)))),
      ),
    )

const isOne = ({ companyId, id }: Pick<Claim, 'companyId' | 'id'>) =>
  and(eq(gptDialogs.companyId, companyId), eq(gptDialogs.id, id))
