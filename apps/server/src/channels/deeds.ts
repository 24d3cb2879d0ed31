import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import { type Deed, LeaseLost, type Outcome, type Session } from '../driver.ts'
import type { Fence } from '../features/connections/connections.leases.ts'
import { addressOf } from '../features/contacts/contacts.queries.ts'
import { applyDeed, refuseDeed } from '../features/messages/messages.deeds.ts'
import { askedDeeds, BATCH, countTry } from '../features/messages/messages.waiting.ts'
import type { Scope } from '../platform/scope.ts'
import { traced } from '../platform/trace.ts'

/** A deed that nobody could say anything about so often is given up; its author may try again. */
const MAX_ATTEMPTS = 10

interface Line {
  scope: Scope
  whatsappId: number
  session: Session
  fence: Fence
  log: Logger
  /** From what deeds followed, by the message they are done to, as far as this process heard of it. */
  traces: Pick<Map<string, string>, 'get' | 'delete'>
}

/**
 * Does what waits to be done to messages of one connection: in order within each chat, chats side by side. What is to
 * be done to a message that has not left yet waits for it.
 */
export async function doDeeds(line: Line): Promise<void> {
  while (line.session.ready()) {
    const waiting = await line.scope.list(tx => askedDeeds(tx, line.whatsappId))
    const chats = Map.groupBy(waiting, deed => deed.contactId)
    const done = await Promise.all([...chats.values()].map(chat => doInOrder(line, chat)))
    if (waiting.length < BATCH || !done.some(settled => settled > 0)) return
  }
}

type Waiting = Awaited<ReturnType<typeof askedDeeds>>[number]

async function doInOrder(line: Line, chat: Waiting[]): Promise<number> {
  let settled = 0
  for (const waiting of chat) {
    if (!line.session.ready()) return settled
    const { messageId } = waiting
    const outcome = await traced(line.traces.get(messageId) ?? messageId, () => doOne(line, waiting))
    if (outcome.is === 'unknown') return settled
    line.traces.delete(messageId)
    settled++
  }
  return settled
}

async function doOne(line: Line, waiting: Waiting): Promise<Outcome> {
  const { scope, fence } = line
  const outcome = await act(line, waiting)
  const isGivenUp = outcome.is === 'unknown' && waiting.attempts + 1 >= MAX_ATTEMPTS
  await scope.transaction(async tx => {
    await fence(tx)
    if (outcome.is === 'sent') await applyDeed(tx, waiting)
    else if (outcome.is === 'refused' || isGivenUp) await refuseDeed(tx, waiting, outcome.reason)
    else await countTry(tx, waiting.id)
  })
  return isGivenUp ? { is: 'refused', reason: outcome.reason } : outcome
}

async function act({ scope, session, whatsappId, log }: Line, waiting: Waiting): Promise<Outcome> {
  log.debug({ messageId: waiting.messageId, what: waiting.what }, 'a deed leaves')
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
