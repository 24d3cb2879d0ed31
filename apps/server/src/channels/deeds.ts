import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import { addressOf } from '../features/contacts/contacts.queries.ts'
import { contacts } from '../features/contacts/contacts.table.ts'
import { applyDeed, refuseDeed } from '../features/messages/messages.deeds.ts'
import { messageDeeds, messages } from '../features/messages/messages.table.ts'
import { given, prepared } from '../platform/db.prepared.ts'
import type { Scope, Tx } from '../platform/scope.ts'
import { and, asc, eq, sql as tag } from '../platform/sql.ts'
import { type Deed, LeaseLost, type Outcome, type Session } from './driver.ts'
import type { Fence } from './lease.ts'

/** A deed that nobody could say anything about so often is given up; its author may try again. */
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
 * Does what waits to be done to messages of one connection: in order within each chat, chats side by side. What is to
 * be done to a message that has not left yet waits for it.
 */
export async function doDeeds(line: Line): Promise<void> {
  while (line.session.ready()) {
    const waiting = await line.scope.read(tx => nextDeeds(tx, line.whatsappId))
    const chats = Map.groupBy(waiting, deed => deed.contactId)
    const done = await Promise.all([...chats.values()].map(chat => doInOrder(line, chat)))
    if (waiting.length < BATCH || !done.some(settled => settled > 0)) return
  }
}

type Waiting = Awaited<ReturnType<typeof nextDeeds>>[number]

async function doInOrder(line: Line, chat: Waiting[]): Promise<number> {
  let settled = 0
  for (const waiting of chat) {
    if (!line.session.ready()) return settled
    if ((await doOne(line, waiting)).is === 'unknown') return settled
    settled++
  }
  return settled
}

async function doOne(line: Line, waiting: Waiting): Promise<Outcome> {
  const { scope, fence } = line
  const outcome = await act(line, waiting)
  const given = outcome.is === 'unknown' && waiting.attempts + 1 >= MAX_ATTEMPTS
  await scope.transaction(async tx => {
    await fence(tx)
    if (outcome.is === 'sent') await applyDeed(tx, waiting)
    else if (outcome.is === 'refused' || given) await refuseDeed(tx, waiting, outcome.reason)
    else await countTry(tx, waiting.id)
  })
  return given ? { is: 'refused', reason: outcome.reason } : outcome
}

async function act({ scope, session, whatsappId, log }: Line, waiting: Waiting): Promise<Outcome> {
  // what never left is nowhere to be deleted from
  if (waiting.message.outbox === 'failed')
    return waiting.what === 'delete' ? { is: 'sent' } : { is: 'refused', reason: 'ERR_FETCH_WAPP_MSG' }
  const deed = deedOf(waiting, scope.companyId)
  if (!deed) return { is: 'refused', reason: 'ERR_WAPP_INVALID_CONTACT' }
  return session.act(deed).catch((error: unknown): Outcome => {
    if (error instanceof LeaseLost) throw error
    log.warn({ err: error, whatsappId, messageId: waiting.messageId }, 'a deed broke off')
    return { is: 'unknown', reason: String(error).slice(0, 200) }
  })
}

function deedOf({ id, contact, message, what, value }: Waiting, companyId: number): Deed | null {
  const chat = addressOf(contact)
  const { externalId, fromMe, author } = message
  const target = {
    externalId,
    fromMe,
    ...(author && { author: { kind: author.kind, value: author.value } }),
  }
  const common = chat && { chat, target, externalId: idOf(companyId, id) }
  if (!common) return null
  if (what === 'edit') return { ...common, what, body: value }
  return what === 'react' ? { ...common, what, emoji: value } : { ...common, what }
}

/** The same on every try, so that a deed done twice is done once. */
const idOf = (companyId: number, id: number) =>
  `3EB0${createHash('sha256').update(`deed ${companyId} ${id}`).digest('hex').slice(0, 18).toUpperCase()}`

const nextDeeds = (tx: Tx, whatsappId: number) =>
  waitingDeeds(tx.sql, { companyId: tx.companyId, whatsappId })

const waitingDeeds = prepared(sql =>
  sql
    .select({
      id: messageDeeds.id,
      messageId: messageDeeds.messageId,
      what: messageDeeds.what,
      value: messageDeeds.value,
      attempts: messageDeeds.attempts,
      contactId: messages.contactId,
      message: {
        externalId: messages.externalId,
        fromMe: messages.fromMe,
        author: messages.author,
        outbox: messages.outbox,
      },
      contact: {
        number: contacts.number,
        lid: contacts.lid,
        cloudId: contacts.cloudId,
        isGroup: contacts.isGroup,
      },
    })
    .from(messageDeeds)
    .innerJoin(
      messages,
      and(eq(messages.companyId, messageDeeds.companyId), eq(messages.id, messageDeeds.messageId)),
    )
    .innerJoin(contacts, and(eq(contacts.companyId, messages.companyId), eq(contacts.id, messages.contactId)))
    .where(
      and(
        eq(messageDeeds.companyId, given('companyId')),
        eq(messageDeeds.whatsappId, given('whatsappId')),
        tag`coalesce(${messages.outbox}, 'done') in ('done', 'failed')`,
      ),
    )
    .orderBy(asc(messageDeeds.id))
    .limit(BATCH),
)

const countTry = (tx: Tx, id: number) =>
  tx.sql
    .update(messageDeeds)
    .set({ attempts: tag`${messageDeeds.attempts} + 1` })
    .where(and(eq(messageDeeds.companyId, tx.companyId), eq(messageDeeds.id, id)))
