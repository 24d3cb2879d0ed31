import { createHash } from 'node:crypto'
import { cut } from '@balcao/contract/cut.rules.ts'
import { FAILED } from '@balcao/contract/messages.rules.ts'
import { type ChannelSession, LeaseLost, type Operation, type Outcome, sendChecked } from '../driver.ts'
import { chatOfContact } from '../features/contacts/contacts.queries.ts'
import { applyOperation, refuseOperation } from '../features/messages/operations/operations.actions.ts'
import { pendingOperations, postponeOperation } from '../features/messages/operations/operations.queries.ts'
import { whyItFailed } from '../platform/observe/log-errors.ts'
import { traced } from '../platform/observe/trace.ts'
import { patience, pauseAfter } from '../platform/work/retries.ts'
import type { ChannelConnection } from './connection.ts'

/**
 * Carries out the operations that wait on one connection: in order within each chat, chats in parallel. An operation on a
 * message that was not sent yet waits for it.
 */
export async function runOperations(connection: ChannelConnection, session: ChannelSession): Promise<void> {
  const { scope, whatsappId, busyChats } = connection
  while (connection.isReady(session)) {
    const waiting = await scope.list(tx => pendingOperations(tx, whatsappId, [...busyChats.operations]))
    const work = (chat: Waiting[]) => doInOrder(connection, session, chat)
    if (await connection.inChats('operations', waiting, work)) return
  }
}

type Waiting = Awaited<ReturnType<typeof pendingOperations>>[number]

async function doInOrder(
  connection: ChannelConnection,
  session: ChannelSession,
  chat: Waiting[],
): Promise<number> {
  let settled = 0
  for (const waiting of chat) {
    // the next operations of its chat wait behind it
    if (!connection.isReady(session) || waiting.dueIn > 0) return settled
    const { messageId } = waiting
    const outcome = await traced(connection.traces.get(messageId) ?? messageId, () =>
      doOne(connection, session, waiting),
    )
    if (outcome.is === 'unknown') return settled
    connection.traces.delete(messageId)
    settled++
  }
  return settled
}

async function doOne(
  connection: ChannelConnection,
  session: ChannelSession,
  waiting: Waiting,
): Promise<Outcome> {
  const outcome = await act(connection, session, waiting)
  const { attempts, tries } = waiting
  const fault = outcome.is === 'unknown' ? (outcome.fault ?? 'network') : 'network'
  const counted = tries + (fault === 'recipient' ? 1 : 0)
  const inMs = pauseAfter(patience.outbox, fault, { attempts: attempts + 1, counted })
  const isGivenUp = outcome.is === 'unknown' && inMs === null
  await connection.write(async tx => {
    if (outcome.is === 'sent') await applyOperation(tx, waiting)
    else if (outcome.is === 'refused' || isGivenUp) await refuseOperation(tx, waiting, outcome.reason)
    else await postponeOperation(tx, waiting.id, counted, inMs!)
  })
  return isGivenUp ? { is: 'refused', reason: outcome.reason } : outcome
}

async function act(
  { scope, whatsappId, log, checkLease }: ChannelConnection,
  session: ChannelSession,
  waiting: Waiting,
): Promise<Outcome> {
  log.debug({ messageId: waiting.messageId, what: waiting.what }, 'an operation leaves')
  // a message that was never sent is deleted nowhere else
  if (waiting.message.ack === FAILED)
    return waiting.what === 'delete' ? { is: 'sent' } : { is: 'refused', reason: 'ERR_FETCH_WAPP_MSG' }
  const operation = operationOf(waiting, scope.companyId)
  if (!operation) return { is: 'refused', reason: 'ERR_WAPP_INVALID_CONTACT' }
  const acting = sendChecked(checkLease, check => session.act(operation, check))
  const outcome = await acting.catch((error: unknown): Outcome => {
    if (error instanceof LeaseLost) throw error
    log.warn({ err: error, whatsappId, messageId: waiting.messageId }, 'an operation broke off')
    return { is: 'unknown', reason: cut(whyItFailed(error), 200), fault: 'recipient' }
  })
  // what is done to a message is out of date when the restriction ends
  return outcome.is === 'held' ? { is: 'refused', reason: outcome.reason } : outcome
}

function operationOf(
  { id, contact, message, what, value, mentions }: Waiting,
  companyId: number,
): Operation | null {
  const chat = chatOfContact(contact)
  const { externalId, fromMe, author } = message
  const target = {
    externalId,
    fromMe,
    ...(author && { author: { kind: author.kind, value: author.value } }),
  }
  const common = chat && { chat, target, externalId: idOf(companyId, id) }
  if (!common) return null
  if (what === 'edit') return { ...common, what, body: value, ...(mentions && { mentions }) }
  if (what === 'pin') return { ...common, what, seconds: Number(value) }
  return what === 'react' ? { ...common, what, emoji: value } : { ...common, what }
}

/** The same on every try, so that a repeated operation has no second effect. */
const idOf = (companyId: number, id: number) =>
  `3EB0${createHash('sha256').update(`operation ${companyId} ${id}`).digest('hex').slice(0, 18).toUpperCase()}`
