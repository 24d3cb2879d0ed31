import { and, asc, eq, inArray, sql as tag } from 'drizzle-orm'
import type { Logger } from 'pino'
import { addressOf } from '../features/contacts/contacts.queries.ts'
import { contacts } from '../features/contacts/contacts.table.ts'
import { acknowledge } from '../features/messages/messages.receive.ts'
import { messages } from '../features/messages/messages.table.ts'
import type { Scope, Tx } from '../platform/scope.ts'
import { LeaseLost, type Outcome, type Outgoing, type Session } from './driver.ts'
import type { Fence } from './lease.ts'

/** A message that nobody could say anything about so often is shown as failed; its owner may send it again. */
const MAX_ATTEMPTS = 10
const BATCH = 100

interface Line {
  scope: Scope
  whatsappId: number
  session: Session
  fence: Fence
  log: Logger
}

/**
 * Sends what waits on one connection until nothing is left or the network is gone: in order within each chat,
 * chats side by side. Rows left in `sending` by a process that died are sent again under the same id.
 */
export async function sendWaiting(line: Line): Promise<void> {
  while (line.session.ready()) {
    const waiting = await line.scope.transaction(tx => nextBatch(tx, line.whatsappId))
    const chats = Map.groupBy(waiting, message => message.contactId)
    const done = await Promise.all([...chats.values()].map(chat => sendInOrder(line, chat)))
    if (!done.some(sent => sent > 0)) return
  }
}

type Waiting = Awaited<ReturnType<typeof nextBatch>>[number]

async function sendInOrder(line: Line, chat: Waiting[]): Promise<number> {
  let settled = 0
  for (const waiting of chat) {
    if (!line.session.ready()) return settled
    const outcome = await sendOne(line, waiting)
    if (outcome.is === 'unknown') return settled
    settled++
  }
  return settled
}

/** Marked before it leaves, so that a crash in between is known; settled by the network's answer. */
async function sendOne({ scope, whatsappId, session, fence, log }: Line, waiting: Waiting): Promise<Outcome> {
  const message = outgoingOf(waiting)
  const attempts = await scope.transaction(async tx => {
    await fence(tx)
    return begin(tx, waiting.id)
  })
  if (!message)
    return settle(scope, whatsappId, fence, waiting, { is: 'refused', reason: 'ERR_WAPP_INVALID_CONTACT' })
  const outcome = await session.send(message).catch((error: unknown): Outcome => {
    if (error instanceof LeaseLost) throw error
    log.warn({ err: error, whatsappId, messageId: waiting.id }, 'sending broke off')
    return { is: 'unknown', reason: String(error).slice(0, 200) }
  })
  const final: Outcome =
    outcome.is === 'unknown' && attempts >= MAX_ATTEMPTS ? { is: 'refused', reason: outcome.reason } : outcome
  return settle(scope, whatsappId, fence, waiting, final)
}

async function settle(
  scope: Scope,
  whatsappId: number,
  fence: Fence,
  { id, externalId }: Waiting,
  outcome: Outcome,
) {
  await scope.transaction(async tx => {
    await fence(tx)
    if (outcome.is === 'unknown') return mark(tx, id, 'unknown')
    const heard = { kind: 'ack' as const, chat: { kind: 'phone' as const, value: '' }, externalId, at: '' }
    if (outcome.is === 'sent') await acknowledge(tx, whatsappId, { ...heard, ack: 2 })
    else await acknowledge(tx, whatsappId, { ...heard, ack: 0, reason: outcome.reason })
    await mark(tx, id, outcome.is === 'sent' ? 'done' : 'failed')
  })
  return outcome
}

function outgoingOf({ contact, externalId, body, attempts, quoted }: Waiting): Outgoing | null {
  const chat = addressOf(contact)
  return chat && { chat, externalId, body, again: attempts > 0, ...(quoted && { quoted }) }
}

const nextBatch = (tx: Tx, whatsappId: number) =>
  tx.sql
    .select({
      id: messages.id,
      externalId: messages.externalId,
      contactId: messages.contactId,
      body: messages.body,
      attempts: messages.attempts,
      contact: { number: contacts.number, lid: contacts.lid, isGroup: contacts.isGroup },
      quoted: tag<Outgoing['quoted'] | null>`(
        select json_build_object('externalId', q.external_id, 'fromMe', q.from_me, 'body', q.body) from messages q
        where q.company_id = ${messages.companyId} and q.id = ${messages.quotedId})`,
    })
    .from(messages)
    .innerJoin(contacts, and(eq(contacts.companyId, messages.companyId), eq(contacts.id, messages.contactId)))
    .where(
      and(
        eq(messages.companyId, tx.companyId),
        eq(messages.whatsappId, whatsappId),
        tag`${messages.outbox} in ('queued', 'sending', 'unknown')`,
      ),
    )
    .orderBy(asc(messages.position))
    .limit(BATCH)

/** What one of our messages said; null when the id is not ours. */
export async function sentMessage(tx: Tx, whatsappId: number, externalId: string) {
  const [row] = await tx.sql
    .select({ body: messages.body })
    .from(messages)
    .where(
      and(
        eq(messages.companyId, tx.companyId),
        eq(messages.whatsappId, whatsappId),
        eq(messages.externalId, externalId),
        eq(messages.fromMe, true),
      ),
    )
  return row ?? null
}

async function begin(tx: Tx, messageId: string) {
  const [row] = await tx.sql
    .update(messages)
    .set({ outbox: 'sending', attempts: tag`${messages.attempts} + 1` })
    .where(and(eq(messages.companyId, tx.companyId), eq(messages.id, messageId)))
    .returning({ attempts: messages.attempts })
  return row?.attempts ?? 0
}

const mark = async (tx: Tx, messageId: string, outbox: 'unknown' | 'done' | 'failed') =>
  void (await tx.sql
    .update(messages)
    .set({ outbox })
    .where(and(eq(messages.companyId, tx.companyId), inArray(messages.id, [messageId]))))

/** The number was logged out: what waits will not leave by itself, and its authors are told why. */
export async function failWaiting(tx: Tx, whatsappId: number, reason: string): Promise<void> {
  for (const { id, externalId } of await nextBatch(tx, whatsappId)) {
    await acknowledge(tx, whatsappId, {
      kind: 'ack',
      chat: { kind: 'phone', value: '' },
      externalId,
      ack: 0,
      reason,
      at: '',
    })
    await mark(tx, id, 'failed')
  }
}
