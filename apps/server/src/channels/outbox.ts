import { cut } from '@balcao/contract/cut.rules.ts'
import { FAILED, SENT, UNKNOWN_OUTCOME } from '@balcao/contract/messages.rules.ts'
import {
  type ChannelSession,
  LeaseLost,
  type Outcome,
  type Outgoing,
  sendChecked,
  Unreachable,
} from '../driver.ts'
import { heldLeases } from '../features/connections/connections.queries.ts'
import { chatOfContact } from '../features/contacts/contacts.queries.ts'
import { outgoingContentOf } from '../features/messages/outbox/content.rules.ts'
import type { LocalSender } from '../features/messages/outbox/leaving.actions.ts'
import {
  beginSending,
  keepGaps,
  overdueMessages,
  type Unsent,
  unsentMessages,
  type WaitingMessage,
} from '../features/messages/outbox/outbox.queries.ts'
import { acknowledge, holdBack, keepUnsent } from '../features/messages/outbox/receipts.actions.ts'
import { databaseNow } from '../platform/clock.ts'
import { isConnectionFailure, Refusal } from '../platform/errors.ts'
import type { Files } from '../platform/files/files.ts'
import { perCompany } from '../platform/memory.ts'
import { whyItFailed } from '../platform/observe/log-errors.ts'
import { traced, traceNow } from '../platform/observe/trace.ts'
import { together } from '../platform/postgres/db.ts'
import type { Tx } from '../platform/scope.ts'
import { batching } from '../platform/work/group-commit.ts'
import { type Fault, patience, pauseAfter } from '../platform/work/retries.ts'
import type { ChannelConnection } from './connection.ts'

/** What becomes due within this time gets a timer; the rest is found by polling. */
export const SOON_MS = 5_000
/** A message later than this was delayed by an outage: the next ones keep their distance to it. */
const LATE_MS = 2_000

/**
 * Sends what waits on one connection until the outbox is empty or the network is gone: in order within each chat, chats in
 * parallel. Rows that a crashed process left in `sending` are sent again under the same id.
 */
export async function sendQueued(connection: ChannelConnection, session: ChannelSession): Promise<void> {
  await failOverdue(connection)
  const { scope, whatsappId, busyChats, presence } = connection
  // marks messages as leaving, for chats that send at the same time
  const begin = batching((ids: string[]) =>
    connection.scope.transaction(async tx => {
      const [, attempts] = await together(
        tx.sql,
        () => connection.fence(tx),
        () => beginSending(tx, ids),
      )
      return attempts
    }),
  )
  while (connection.isReady(session)) {
    // before it is read: a chat that becomes free meanwhile is looked at again
    connection.passesOver = busyChats.outbox.size > 0
    const read = await scope.list(tx => unsentMessages(tx, whatsappId, [...busyChats.outbox], SOON_MS))
    // a chat that was reserved meanwhile is sent by who reserved it, and must not be freed by this look
    const found = read.filter(({ contactId }) => !busyChats.outbox.has(contactId))
    connection.passesOver ||= found.length < read.length
    const late = found.flatMap(({ dueIn, contactId }) => (dueIn < -LATE_MS ? contactId : []))
    if (late.length > 0) {
      await scope.transaction(tx => keepGaps(tx, whatsappId, late))
      continue
    }
    const held = found.filter(({ dueIn, heldMs }) => dueIn <= 0 && heldMs > 0)
    if (held.length > 0) {
      await hold(connection, held)
      continue
    }
    const waiting = found.filter(({ dueIn }) => dueIn <= 0)
    presence.show(
      session,
      found.filter(({ dueIn }) => dueIn > 0),
    )
    const send = (chat: WaitingMessage[]) => sendInOrder(connection, session, chat, begin)
    if (await connection.inChats('outbox', waiting, send)) return
  }
}

/** The sender of a connection for messages that are stored as leaving (`leaving.actions.ts`). */
export function localSenderOf(connection: ChannelConnection): LocalSender {
  const { whatsappId, owner, lease, busyChats, log } = connection
  return {
    whatsappId,
    owner,
    epoch: lease.epoch,
    reserve(contactId) {
      const { session } = connection
      const isFree = session && connection.isReady(session) && connection.owns()
      if (!isFree || busyChats.outbox.has(contactId)) return false
      busyChats.outbox.add(contactId)
      return true
    },
    release: connection.freeChat,
    deliver(contactId, messages) {
      const { session } = connection
      const trace = traceNow()
      if (trace) for (const { id } of messages) connection.traces.set(id, trace)
      // what was not sent before: `attempts` counts this time
      const leaving = messages.map(one => ({ ...one, attempts: 0 }))
      const sending = session ? sendInOrder(connection, session, leaving) : Promise.resolve()
      void connection.follow(
        sending
          .catch(error => {
            if (!(error instanceof LeaseLost)) log.warn({ err: error }, 'a chat will be tried again')
          })
          .finally(() => connection.freeChat(contactId)),
      )
    },
  }
}

interface Settled {
  connection: ChannelConnection
  waiting: WaitingMessage
  outcome: Outcome
  retry?: Omit<Unsent, 'id'>
}

/** Records outcomes, for all connections of a company that send at the same time. Throws LeaseLost for one that lost its lease. */
const settlingOf = perCompany(() =>
  batching(async (settled: Settled[]) => {
    const [{ connection }] = settled as [Settled]
    const { scope, owner, platform } = connection
    const held = await scope.transaction(tx => settleAll(tx, owner, settled))
    platform.metrics.messages('out', held.filter(({ outcome }) => outcome.is === 'sent').length)
    return settled.map(one => held.includes(one))
  }),
)

/** Fails automatic messages that are too late to be sent, also while the network is not reachable. */
async function failOverdue({ scope, whatsappId, write }: ChannelConnection) {
  for (;;) {
    const late = await scope.list(tx => overdueMessages(tx, whatsappId))
    if (late.length === 0) return
    const failed = late.map(({ externalId }) => ({
      whatsappId,
      externalId,
      ack: FAILED,
      reason: 'ERR_TOO_LATE',
    }))
    await write(tx => acknowledge(tx, failed))
  }
}

/** First messages on a restricted number are not tried: each refused one counts against it. */
const hold = ({ write, whatsappId }: ChannelConnection, held: WaitingMessage[]) =>
  write(tx =>
    holdBack(
      tx,
      whatsappId,
      held.map(({ id }) => id),
    ),
  )

async function sendInOrder(
  connection: ChannelConnection,
  session: ChannelSession,
  chat: WaitingMessage[],
  begin?: (messageId: string) => Promise<number>,
): Promise<number> {
  let settled = 0
  for (const waiting of chat) {
    if (!connection.isReady(session)) return settled
    const outcome = await traced(connection.traces.get(waiting.id) ?? waiting.id, () =>
      sendOne(connection, session, waiting, begin),
    )
    if (outcome.is === 'unknown' || outcome.is === 'held') return settled
    connection.traces.delete(waiting.id)
    settled++
  }
  return settled
}

/**
 * Marked before it is sent, by `begin` or by whoever stored it, so that a crash in between is known; settled by the network's
 * answer.
 */
async function sendOne(
  connection: ChannelConnection,
  session: ChannelSession,
  waiting: WaitingMessage,
  begin: (messageId: string) => Promise<number> = async () => waiting.attempts + 1,
): Promise<Outcome> {
  const { scope, whatsappId, platform, log, checkLease } = connection
  const message = outgoingOf(waiting, platform.files, scope.companyId)
  const attempts = await begin(waiting.id)
  const end = async (outcome: Outcome, retry?: Settled['retry']) => {
    const settled = { connection, waiting, outcome, ...(retry && { retry }) }
    if (!(await settlingOf(scope, scope.companyId)(settled))) throw connection.lose()
    return outcome
  }
  if (attempts === 0) return { is: 'sent' } // withdrawn meanwhile
  log.debug({ messageId: waiting.id, attempts }, 'a message leaves')
  if (!message) return end({ is: 'refused', reason: 'ERR_WAPP_INVALID_CONTACT' })
  const file = fileOf(message)
  const sent = sendChecked(checkLease, check => session.send(file.message, check))
  const outcome = await sent.catch((error: unknown): Outcome => {
    if (error instanceof LeaseLost) throw error
    log.warn({ err: error, whatsappId, messageId: waiting.id }, 'sending broke off')
    return { is: 'unknown', reason: cut(whyItFailed(error), 200), fault: faultOf(error) }
  })
  log.debug({ messageId: waiting.id, ...outcome }, 'the network answered')
  if (outcome.is === 'held') return end(outcome, heldBack(waiting, outcome))
  if (outcome.is !== 'unknown') return end(outcome)
  // no further try finds it; an earlier one may have
  if (file.isGone()) return end(givenUp(attempts > 1 ? '' : 'ERR_FILE_GONE'))
  const fault = file.isAway() ? 'ours' : (outcome.fault ?? 'network')
  const tries = waiting.tries + (fault === 'recipient' ? 1 : 0)
  const inMs = pauseAfter(patience.outbox, fault, { attempts, counted: tries })
  if (inMs === null) return end(givenUp(outcome.reason))
  return end(outcome, { inMs, tries, reason: reasonOf(fault, outcome.reason) })
}

/** Not tried before its time; that counts as no failure of the message. */
const heldBack = ({ tries }: WaitingMessage, { until, reason }: Extract<Outcome, { is: 'held' }>) => ({
  inMs: Math.max(0, Date.parse(until) - databaseNow()),
  tries,
  reason,
})

/** The fault of an error that a driver threw. */
const faultOf = (error: unknown): Fault =>
  error instanceof Unreachable ? 'network' : isConnectionFailure(error) ? 'ours' : 'recipient'

/** Why it waits, shown to its author. */
function reasonOf(fault: Fault, reason: string): string {
  if (reason.startsWith('ERR_')) return reason
  if (fault === 'recipient') return ''
  return fault === 'ours' ? 'ERR_FILES_UNAVAILABLE' : 'ERR_WAPP_UNREACHABLE'
}

/** Records whether the message's file is gone, or could not be read: then nothing was sent. */
function fileOf(message: Outgoing) {
  let isGone = false
  let isAway = false
  const { content } = message
  if (content.kind !== 'file') return { message, isGone: () => false, isAway: () => false }
  const open = async () => {
    try {
      const bytes = await content.open()
      return bytes.once('error', () => {
        isAway = true
      })
    } catch (error) {
      isGone = error instanceof Refusal && error.code === 'ERR_NOT_FOUND'
      isAway = !isGone
      throw error
    }
  }
  const watched = { ...message, content: { ...content, open } }
  return { message: watched, isGone: () => isGone, isAway: () => isAway }
}

/** Without a reason of the network it is unknown whether the message was sent. */
const givenUp = (reason: string): Outcome => ({
  is: 'refused',
  reason: reason.startsWith('ERR_') ? reason : UNKNOWN_OUTCOME,
})

/** Answers those whose connection is still of this process: of the others nothing is recorded. */
async function settleAll(tx: Tx, owner: string, settled: Settled[]): Promise<Settled[]> {
  const ids = [...new Set(settled.map(({ connection }) => connection.whatsappId))]
  const leases = new Map(
    (await heldLeases(tx, owner, ids)).map(({ whatsappId, epoch }) => [whatsappId, epoch]),
  )
  const held = settled.filter(
    ({ connection: { whatsappId, lease } }) => leases.get(whatsappId) === lease.epoch,
  )
  for (const [whatsappId, own] of Map.groupBy(held, ({ connection }) => connection.whatsappId)) {
    const unsent = own.flatMap(({ waiting: { id }, retry }) => (retry ? { id, ...retry } : []))
    if (unsent.length > 0) await keepUnsent(tx, whatsappId, unsent)
  }
  const known = held.flatMap(({ connection: { whatsappId }, waiting: { externalId }, outcome }) =>
    outcome.is === 'sent'
      ? [{ whatsappId, externalId, ack: SENT }]
      : outcome.is === 'refused'
        ? [{ whatsappId, externalId, ack: FAILED, reason: outcome.reason }]
        : [],
  )
  if (known.length > 0) await acknowledge(tx, known)
  return held
}

function outgoingOf(waiting: WaitingMessage, files: Files, companyId: number): Outgoing | null {
  const { contact, externalId, body, attempts, quoted, isForwarded } = waiting
  const chat = chatOfContact(contact)
  const content = outgoingContentOf(waiting, files, companyId)
  const also = { ...(quoted && { quoted }), ...(isForwarded && { isForwarded }) }
  return chat && { chat, externalId, body, content, again: attempts > 0, ...also }
}
