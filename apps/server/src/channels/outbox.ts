import { cut } from '@balcao/contract/cut.rules.ts'
import { FAILED, SENT, UNKNOWN_OUTCOME } from '@balcao/contract/messages.rules.ts'
import type { Logger } from 'pino'
import {
  type ChannelSession,
  type CheckLease,
  LeaseLost,
  type Outcome,
  type Outgoing,
  sendChecked,
  Unreachable,
} from '../driver.ts'
import type { Fence } from '../features/connections/connections.leases.queries.ts'
import { chatOfContact } from '../features/contacts/contacts.queries.ts'
import { outgoingContentOf } from '../features/messages/outbox/content.rules.ts'
import {
  BATCH,
  beginSending,
  keepGaps,
  overdueMessages,
  type Unsent,
  unsentMessages,
} from '../features/messages/outbox/outbox.queries.ts'
import { acknowledge, holdBack, keepUnsent } from '../features/messages/outbox/receipts.actions.ts'
import { databaseNow } from '../platform/clock.ts'
import { isConnectionFailure, Refusal } from '../platform/errors.ts'
import type { Files } from '../platform/files/files.ts'
import { whyItFailed } from '../platform/observe/log-errors.ts'
import type { Metrics } from '../platform/observe/metrics.ts'
import { traced } from '../platform/observe/trace.ts'
import { together } from '../platform/postgres/db.ts'
import type { Scope, Tx } from '../platform/scope.ts'
import { batching } from '../platform/work/group-commit.ts'
import { type Fault, patience, pauseAfter } from '../platform/work/retries.ts'

/** What becomes due within this time gets a timer; the rest is found by polling. */
export const SOON_MS = 5_000
/** A chat that is slower is no longer awaited, so that a large file or a call that hangs does not delay other chats. */
const SLOW_MS = 1_000
/** A message later than this was delayed by an outage: the next ones keep their distance to it. */
const LATE_MS = 2_000

interface Running {
  scope: Scope
  whatsappId: number
  session: ChannelSession
  fence: Fence
  checkLease: CheckLease
  files: Files
  metrics: Pick<Metrics, 'messages'>
  log: Logger
  /** The traces that messages belong to, as far as this process knows them; other messages begin their own. */
  traces: Pick<Map<string, string>, 'get' | 'delete'>
  /** Shows typing for messages that become due soon, and wakes the outbox for them. */
  presence: { show(session: ChannelSession, soon: WaitingMessage[]): void }
}

/**
 * Sends what waits on one connection until the outbox is empty or the network is gone: in order within each chat, chats in
 * parallel. Rows that a crashed process left in `sending` are sent again under the same id. `busy` holds the chats that are
 * slow; `again` is called when they are done.
 */
export async function sendQueued(running: Running, busy: Set<number>, again: () => void): Promise<void> {
  const { scope, whatsappId, fence } = running
  const steps = {
    begin: batching((ids: string[]) =>
      scope.transaction(async tx => {
        const [, attempts] = await together(
          tx.sql,
          () => fence(tx),
          () => beginSending(tx, ids),
        )
        return attempts
      }),
    ),
    settle: batching(async (settled: Settled[]) => {
      const outcomes = await scope.transaction(tx => settleAll(tx, running, settled))
      running.metrics.messages('out', outcomes.filter(({ is }) => is === 'sent').length)
      return outcomes
    }),
  }
  while (running.session.ready()) {
    const found = await scope.list(tx => unsentMessages(tx, whatsappId, [...busy], SOON_MS))
    const late = found.flatMap(({ dueIn, contactId }) => (dueIn < -LATE_MS ? contactId : []))
    if (late.length > 0) {
      await scope.transaction(tx => keepGaps(tx, whatsappId, late))
      continue
    }
    const held = found.filter(({ dueIn, heldMs }) => dueIn <= 0 && heldMs > 0)
    if (held.length > 0) {
      await hold(running, held)
      continue
    }
    const waiting = found.filter(({ dueIn }) => dueIn <= 0)
    running.presence.show(
      running.session,
      found.filter(({ dueIn }) => dueIn > 0),
    )
    const chats = Map.groupBy(waiting, message => message.contactId)
    const sending = [...chats].map(([contactId, chat]) => {
      busy.add(contactId)
      return sendInOrder(running, steps, chat).finally(() => busy.delete(contactId))
    })
    const done = await unlessSlow(Promise.all(sending), again, running.log)
    const isStuck = done !== null && !done.some(sent => sent > 0)
    if (waiting.length < BATCH || isStuck) return
  }
}

/** Fails automatic messages that are too late to be sent, also while the network is not reachable. */
export async function failOverdue({
  scope,
  whatsappId,
  fence,
}: Pick<Running, 'scope' | 'whatsappId' | 'fence'>) {
  for (;;) {
    const late = await scope.list(tx => overdueMessages(tx, whatsappId))
    if (late.length === 0) return
    await scope.transaction(async tx => {
      await fence(tx)
      const failed = late.map(({ externalId }) => ({ externalId, ack: FAILED, reason: 'ERR_TOO_LATE' }))
      await acknowledge(tx, whatsappId, failed)
    })
  }
}

/** First messages on a restricted number are not tried: each refused one counts against it. */
const hold = ({ scope, whatsappId, fence }: Running, held: WaitingMessage[]) =>
  scope.transaction(async tx => {
    await fence(tx)
    await holdBack(
      tx,
      whatsappId,
      held.map(({ id }) => id),
    )
  })

export type WaitingMessage = Awaited<ReturnType<typeof unsentMessages>>[number]
type Settled = WaitingMessage & { outcome: Outcome; retry?: Omit<Unsent, 'id'> }

/** The commits around each sending, shared by chats that send at the same time. */
interface Steps {
  /** The number of tries with this one; 0 when the message does not wait any more. */
  begin(messageId: string): Promise<number>
  settle(settled: Settled): Promise<Outcome>
}

async function sendInOrder(running: Running, steps: Steps, chat: WaitingMessage[]): Promise<number> {
  let settled = 0
  for (const waiting of chat) {
    if (!running.session.ready()) return settled
    const outcome = await traced(running.traces.get(waiting.id) ?? waiting.id, () =>
      sendOne(running, steps, waiting),
    )
    if (outcome.is === 'unknown' || outcome.is === 'held') return settled
    running.traces.delete(waiting.id)
    settled++
  }
  return settled
}

/** Marked before it is sent, so that a crash in between is known; settled by the network's answer. */
async function sendOne(
  running: Running,
  { begin, settle }: Steps,
  waiting: WaitingMessage,
): Promise<Outcome> {
  const { scope, whatsappId, session, files, log, checkLease } = running
  const message = outgoingOf(waiting, files, scope.companyId)
  const attempts = await begin(waiting.id)
  if (attempts === 0) return { is: 'sent' } // withdrawn meanwhile
  log.debug({ messageId: waiting.id, attempts }, 'a message leaves')
  if (!message) return settle({ ...waiting, outcome: { is: 'refused', reason: 'ERR_WAPP_INVALID_CONTACT' } })
  const file = fileOf(message)
  const sent = sendChecked(checkLease, check => session.send(file.message, check))
  const outcome = await sent.catch((error: unknown): Outcome => {
    if (error instanceof LeaseLost) throw error
    log.warn({ err: error, whatsappId, messageId: waiting.id }, 'sending broke off')
    return { is: 'unknown', reason: cut(whyItFailed(error), 200), fault: faultOf(error) }
  })
  log.debug({ messageId: waiting.id, ...outcome }, 'the network answered')
  if (outcome.is === 'held') return settle({ ...waiting, outcome, retry: heldBack(waiting, outcome) })
  if (outcome.is !== 'unknown') return settle({ ...waiting, outcome })
  // no further try finds it; an earlier one may have
  if (file.isGone()) return settle({ ...waiting, outcome: givenUp(attempts > 1 ? '' : 'ERR_FILE_GONE') })
  const fault = file.isAway() ? 'ours' : (outcome.fault ?? 'network')
  const tries = waiting.tries + (fault === 'recipient' ? 1 : 0)
  const inMs = pauseAfter(patience.outbox, fault, { attempts, counted: tries })
  if (inMs === null) return settle({ ...waiting, outcome: givenUp(outcome.reason) })
  return settle({ ...waiting, outcome, retry: { inMs, tries, reason: reasonOf(fault, outcome.reason) } })
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

async function settleAll(tx: Tx, { whatsappId, fence }: Running, settled: Settled[]): Promise<Outcome[]> {
  await fence(tx)
  const unsent = settled.flatMap(({ id, retry }) => (retry ? { id, ...retry } : []))
  if (unsent.length > 0) await keepUnsent(tx, whatsappId, unsent)
  const known = settled.flatMap(({ externalId, outcome }) =>
    outcome.is === 'sent'
      ? [{ externalId, ack: SENT }]
      : outcome.is === 'refused'
        ? [{ externalId, ack: FAILED, reason: outcome.reason }]
        : [],
  )
  if (known.length > 0) await acknowledge(tx, whatsappId, known)
  return settled.map(({ outcome }) => outcome)
}

function outgoingOf(waiting: WaitingMessage, files: Files, companyId: number): Outgoing | null {
  const { contact, externalId, body, attempts, quoted, isForwarded } = waiting
  const chat = chatOfContact(contact)
  const content = outgoingContentOf(waiting, files, companyId)
  const also = { ...(quoted && { quoted }), ...(isForwarded && { isForwarded }) }
  return chat && { chat, externalId, body, content, again: attempts > 0, ...also }
}

/** The result of work that ends within a second; null when it goes on by itself, and calls `again` at its end. */
export async function unlessSlow<T>(work: Promise<T>, again: () => void, log: Logger): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>(done => {
    timer = setTimeout(done, SLOW_MS, null)
  })
  try {
    const first = await Promise.race([work, late])
    if (first === null)
      work.then(again, error => {
        if (!(error instanceof LeaseLost)) log.warn({ err: error }, 'a chat will be tried again')
      })
    return first
  } finally {
    clearTimeout(timer)
  }
}
