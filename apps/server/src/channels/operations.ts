import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import { type ChannelSession, LeaseLost, type Operation, type Outcome } from '../driver.ts'
import type { Fence } from '../features/connections/connections.leases.ts'
import { chatOfContact } from '../features/contacts/contacts.queries.ts'
import { applyOperation, refuseOperation } from '../features/messages/messages.operations.ts'
import { BATCH, countTry, pendingOperations } from '../features/messages/messages.waiting.ts'
import type { Scope } from '../platform/scope.ts'
import { traced } from '../platform/trace.ts'

/** An operation that nobody could say anything about so often is given up; its author may try again. */
const MAX_ATTEMPTS = 10

interface Running {
  scope: Scope
  whatsappId: number
  session: ChannelSession
  fence: Fence
  log: Logger
  /** From what deeds followed, by the message they are done to, as far as this process heard of it. */
  traces: Pick<Map<string, string>, 'get' | 'delete'>
}

/**
 * Does what waits to be done to messages of one connection: in order within each chat, chats side by side. What is to
 * be done to a message that has not left yet waits for it.
 */
export async function runOperations(running: Running): Promise<void> {
  while (running.session.ready()) {
    const waiting = await running.scope.list(tx => pendingOperations(tx, running.whatsappId))
    const chats = Map.groupBy(waiting, operation => operation.contactId)
    const done = await Promise.all([...chats.values()].map(chat => doInOrder(running, chat)))
    if (waiting.length < BATCH || !done.some(settled => settled > 0)) return
  }
}

type Waiting = Awaited<ReturnType<typeof pendingOperations>>[number]

async function doInOrder(running: Running, chat: Waiting[]): Promise<number> {
  let settled = 0
  for (const waiting of chat) {
    if (!running.session.ready()) return settled
    const { messageId } = waiting
    const outcome = await traced(running.traces.get(messageId) ?? messageId, () => doOne(running, waiting))
    if (outcome.is === 'unknown') return settled
    running.traces.delete(messageId)
    settled++
  }
  return settled
}

async function doOne(running: Running, waiting: Waiting): Promise<Outcome> {
  const { scope, fence } = running
  const outcome = await act(running, waiting)
  const isGivenUp = outcome.is === 'unknown' && waiting.attempts + 1 >= MAX_ATTEMPTS
  await scope.transaction(async tx => {
    await fence(tx)
    if (outcome.is === 'sent') await applyOperation(tx, waiting)
    else if (outcome.is === 'refused' || isGivenUp) await refuseOperation(tx, waiting, outcome.reason)
    else await countTry(tx, waiting.id)
  })
  return isGivenUp ? { is: 'refused', reason: outcome.reason } : outcome
}

async function act({ scope, session, whatsappId, log }: Running, waiting: Waiting): Promise<Outcome> {
  log.debug({ messageId: waiting.messageId, what: waiting.what }, 'an operation leaves')
  // what never left is nowhere to be deleted from
  if (waiting.message.outbox === 'failed')
    return waiting.what === 'delete' ? { is: 'sent' } : { is: 'refused', reason: 'ERR_FETCH_WAPP_MSG' }
  const operation = operationOf(waiting, scope.companyId)
  if (!operation) return { is: 'refused', reason: 'ERR_WAPP_INVALID_CONTACT' }
  return session.act(operation).catch((error: unknown): Outcome => {
    if (error instanceof LeaseLost) throw error
    log.warn({ err: error, whatsappId, messageId: waiting.messageId }, 'an operation broke off')
    return { is: 'unknown', reason: String(error).slice(0, 200) }
  })
}

function operationOf({ id, contact, message, what, value }: Waiting, companyId: number): Operation | null {
  const chat = chatOfContact(contact)
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

/** The same on every try, so that an operation done twice is done once. */
const idOf = (companyId: number, id: number) =>
  `3EB0${createHash('sha256').update(`operation ${companyId} ${id}`).digest('hex').slice(0, 18).toUpperCase()}`
