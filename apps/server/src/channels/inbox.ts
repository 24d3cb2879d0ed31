import { and, asc, eq, isNull, lt, sql as tag } from 'drizzle-orm'
import type { Logger } from 'pino'
import { acknowledge, identify, receive } from '../features/messages/messages.receive.ts'
import { inbox } from '../features/messages/messages.table.ts'
import { isConnectionFailure, isLostRace } from '../platform/errors.ts'
import type { Scope, Tx } from '../platform/scope.ts'
import { type Heard, LeaseLost } from './driver.ts'
import type { Fence } from './lease.ts'

/** After so many failures a row waits for somebody to look at it. */
const MAX_ATTEMPTS = 8

/**
 * Takes what a driver heard: everything it means and the journal row that says so, in one commit. When the meaning
 * fails, the news is still written down and tried again later; when not even that is possible this throws, and the
 * driver must not confirm. The same news twice changes nothing.
 */
export async function takeIn(
  scope: Scope,
  whatsappId: number,
  news: Heard[],
  fence: Fence,
  log: Logger,
): Promise<void> {
  const takeAll = () =>
    scope.transaction(async tx => {
      await fence(tx)
      for (const heard of news) await writeDown(tx, whatsappId, heard, await handle(tx, whatsappId, heard))
    })
  try {
    // Somebody new may write to two connections at once: the second finds the contact that the first made.
    await takeAll().catch(error => (isLostRace(error) ? takeAll() : Promise.reject(error)))
  } catch (error) {
    if (error instanceof LeaseLost || isConnectionFailure(error)) throw error
    log.error({ err: error, whatsappId }, 'news could not be handled at once')
    await scope.transaction(async tx => {
      await fence(tx)
      for (const heard of news) await writeDown(tx, whatsappId, heard, null)
    })
  }
}

/** Handles what was only written down, each row by itself, oldest first; a failing chat does not hold up the others. */
export async function catchUp(scope: Scope, whatsappId: number, fence: Fence, log: Logger): Promise<void> {
  const stuck = new Set<string>()
  for (const row of await scope.transaction(tx => waiting(tx, whatsappId))) {
    if (stuck.has(row.chat)) continue
    try {
      await scope.transaction(async tx => {
        await fence(tx)
        const heard = JSON.parse(row.heard) as Heard
        await writeDown(tx, whatsappId, heard, await handle(tx, whatsappId, heard))
      })
    } catch (error) {
      if (error instanceof LeaseLost || isConnectionFailure(error)) throw error
      stuck.add(row.chat)
      log.error({ err: error, whatsappId, key: row.key }, 'news could not be handled')
      await scope.transaction(tx => failed(tx, row.id, error))
    }
  }
}

type Handled = { ticketId: number | null }

async function handle(tx: Tx, whatsappId: number, heard: Heard): Promise<Handled> {
  if (heard.kind === 'message') return { ticketId: await receive(tx, whatsappId, heard) }
  if (heard.kind === 'ack') return { ticketId: await acknowledge(tx, whatsappId, heard) }
  await identify(tx, heard.chat)
  return { ticketId: null }
}

/** `handled` null keeps the row waiting. */
async function writeDown(tx: Tx, whatsappId: number, heard: Heard, handled: Handled | null) {
  const done = handled && { handledAt: new Date().toISOString(), ticketId: handled.ticketId, failure: '' }
  const row = {
    companyId: tx.companyId,
    whatsappId,
    key: keyOf(heard),
    chat: heard.chat.value,
    heard: JSON.stringify(heard),
    ...done,
  }
  const insert = tx.sql.insert(inbox).values(row)
  if (!done) return insert.onConflictDoNothing()
  await insert.onConflictDoUpdate({
    target: [inbox.companyId, inbox.whatsappId, inbox.key],
    set: done,
    setWhere: isNull(inbox.handledAt),
  })
}

/** The same news twice has the same key; ids are unique only with the chat and the direction. */
function keyOf(heard: Heard): string {
  if (heard.kind === 'message')
    return `m ${heard.fromMe ? 1 : 0} ${heard.externalId} ${heard.author?.value ?? ''}`
  if (heard.kind === 'ack') return `a ${heard.externalId} ${heard.ack}`
  return `i ${heard.chat.kind} ${heard.chat.value} ${heard.chat.also?.value ?? ''}`
}

const waiting = (tx: Tx, whatsappId: number) =>
  tx.sql
    .select()
    .from(inbox)
    .where(
      and(
        eq(inbox.companyId, tx.companyId),
        eq(inbox.whatsappId, whatsappId),
        isNull(inbox.handledAt),
        lt(inbox.attempts, MAX_ATTEMPTS),
      ),
    )
    .orderBy(asc(inbox.id))
    .limit(500)

const failed = (tx: Tx, id: number, error: unknown) =>
  tx.sql
    .update(inbox)
    .set({ attempts: tag`${inbox.attempts} + 1`, failure: String(error).slice(0, 500) })
    .where(and(eq(inbox.companyId, tx.companyId), eq(inbox.id, id)))
