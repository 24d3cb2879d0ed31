import { FAILED, SENT, UNKNOWN_OUTCOME } from '@balcao/contract/messages.rules.ts'
import type { Logger } from 'pino'
import { type ChannelSession, LeaseLost, type Outcome, type Outgoing } from '../driver.ts'
import type { Fence } from '../features/connections/connections.leases.ts'
import { chatOfContact } from '../features/contacts/contacts.queries.ts'
import { acknowledge } from '../features/messages/messages.receive.ts'
import {
  BATCH,
  beginSending,
  keepGaps,
  keepUnknown,
  outgoingContentOf,
  unsentMessages,
} from '../features/messages/messages.waiting.ts'
import { batching } from '../platform/batching.ts'
import { together } from '../platform/db.ts'
import { Refusal } from '../platform/errors.ts'
import type { Files } from '../platform/files.ts'
import type { Scope, Tx } from '../platform/scope.ts'
import { traced } from '../platform/trace.ts'
import type { openPresence } from './presence.ts'

/** A message that nobody could say anything about so often is shown as failed; its owner may send it again. */
const MAX_ATTEMPTS = 10
/** What is due within this time is waited for to the millisecond; a line looks after the rest by itself. */
const SOON_MS = 5_000
/** Who is later than this was kept from leaving: what follows keeps its distance. */
const LATE_MS = 2_000
/** A chat whose messages take longer is left to itself: a film, or a call that hangs, must not hold up the others. */
const SLOW_MS = 1_000

interface Running {
  scope: Scope
  whatsappId: number
  session: ChannelSession
  fence: Fence
  files: Files
  log: Logger
  /** From what messages followed, as far as this process heard of it; others are their own beginning. */
  traces: Pick<Map<string, string>, 'get' | 'delete'>
  /** Is told what is due soon. */
  presence: ReturnType<typeof openPresence>
}

/**
 * Sends what waits on one connection until nothing is left or the network is gone: in order within each chat,
 * chats side by side. Rows left in `sending` by a process that died are sent again under the same id. `busy` holds the
 * chats that are left to themselves; `again` is called when they are done.
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
    settle: batching((settled: Settled[]) => scope.transaction(tx => settleAll(tx, running, settled))),
  }
  while (running.session.ready()) {
    const found = await scope.list(tx => unsentMessages(tx, whatsappId, [...busy], SOON_MS))
    const late = found.flatMap(({ dueIn, contactId }) => (dueIn < -LATE_MS ? contactId : []))
    if (late.length > 0) {
      await scope.transaction(tx => keepGaps(tx, whatsappId, late))
      continue
    }
    const waiting = found.filter(({ dueIn }) => dueIn <= 0)
    running.presence.await(
      running.session,
      found.filter(({ dueIn }) => dueIn > 0),
    )
    const chats = Map.groupBy(waiting, message => message.contactId)
    const sending = [...chats].map(([contactId, chat]) => {
      busy.add(contactId)
      return sendInOrder(running, steps, chat).finally(() => busy.delete(contactId))
    })
    const done = await soon(Promise.all(sending), again, running.log)
    const isStuck = done !== null && !done.some(sent => sent > 0)
    if (waiting.length < BATCH || isStuck) return
  }
}

/** What comes of it within a moment; null when it goes on by itself, to call `again` at its end. */
async function soon<T>(work: Promise<T>, again: () => void, log: Logger): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>(done => {
    timer = setTimeout(done, SLOW_MS, null)
  })
  try {
    const first = await Promise.race([work, late])
    if (first === null)
      work.then(again, error => {
        if (!(error instanceof LeaseLost)) log.warn({ err: error }, 'a chat will be looked at again')
      })
    return first
  } finally {
    clearTimeout(timer)
  }
}

type Waiting = Awaited<ReturnType<typeof unsentMessages>>[number]
type Settled = Waiting & { outcome: Outcome }

/** What is written down around each sending; chats that do it at the same time share a commit. */
interface Steps {
  /** How often it was tried with this time; 0 when it does not wait any more. */
  begin(messageId: string): Promise<number>
  settle(settled: Settled): Promise<Outcome>
}

async function sendInOrder(running: Running, steps: Steps, chat: Waiting[]): Promise<number> {
  let settled = 0
  for (const waiting of chat) {
    if (!running.session.ready()) return settled
    const outcome = await traced(running.traces.get(waiting.id) ?? waiting.id, () =>
      sendOne(running, steps, waiting),
    )
    if (outcome.is === 'unknown') return settled
    running.traces.delete(waiting.id)
    settled++
  }
  return settled
}

/** Marked before it leaves, so that a crash in between is known; settled by the network's answer. */
async function sendOne(running: Running, { begin, settle }: Steps, waiting: Waiting): Promise<Outcome> {
  const { scope, whatsappId, session, files, log } = running
  const message = outgoingOf(waiting, files, scope.companyId)
  const attempts = await begin(waiting.id)
  if (attempts === 0) return { is: 'sent' } // taken back meanwhile
  log.debug({ messageId: waiting.id, attempts }, 'a message leaves')
  if (!message) return settle({ ...waiting, outcome: { is: 'refused', reason: 'ERR_WAPP_INVALID_CONTACT' } })
  const file = fileOf(message)
  const outcome = await session.send(file.message).catch((error: unknown): Outcome => {
    if (error instanceof LeaseLost) throw error
    log.warn({ err: error, whatsappId, messageId: waiting.id }, 'sending broke off')
    return { is: 'unknown', reason: String(error).slice(0, 200) }
  })
  log.debug({ messageId: waiting.id, ...outcome }, 'the network answered')
  if (outcome.is !== 'unknown') return settle({ ...waiting, outcome })
  // no further try finds it; an earlier one may have
  if (file.isGone()) return settle({ ...waiting, outcome: givenUp(attempts > 1 ? '' : 'ERR_FILE_GONE') })
  return settle({ ...waiting, outcome: attempts >= MAX_ATTEMPTS ? givenUp(outcome.reason) : outcome })
}

/** Knows afterwards whether its file was not there any more: then nothing of it left. */
function fileOf(message: Outgoing) {
  let isGone = false
  const { content } = message
  if (content.kind !== 'file') return { message, isGone: () => false }
  const open = () =>
    content.open().catch((error: unknown) => {
      isGone = error instanceof Refusal && error.code === 'ERR_NOT_FOUND'
      throw error
    })
  return { message: { ...message, content: { ...content, open } }, isGone: () => isGone }
}

/** Without a reason of the network's nobody knows whether it left. */
const givenUp = (reason: string): Outcome => ({
  is: 'refused',
  reason: reason.startsWith('ERR_') ? reason : UNKNOWN_OUTCOME,
})

async function settleAll(tx: Tx, { whatsappId, fence }: Running, settled: Settled[]): Promise<Outcome[]> {
  await fence(tx)
  const unknown = settled.filter(({ outcome }) => outcome.is === 'unknown').map(({ id }) => id)
  if (unknown.length > 0) await keepUnknown(tx, unknown)
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

function outgoingOf(waiting: Waiting, files: Files, companyId: number): Outgoing | null {
  const { contact, externalId, body, attempts, quoted } = waiting
  const chat = chatOfContact(contact)
  const content = outgoingContentOf(waiting, files, companyId)
  return chat && { chat, externalId, body, content, again: attempts > 0, ...(quoted && { quoted }) }
}
