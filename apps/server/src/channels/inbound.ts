import { type InboundEvent, LeaseLost } from '../driver.ts'
import { putPictureOn } from '../features/contacts/contacts.profile.actions.ts'
import { inboundLogged } from '../features/messageLogs/messageLogs.events.ts'
import {
  applyInbound,
  isPlainMessage,
  receiveMessages,
} from '../features/messages/inbound/inbound.actions.ts'
import { writeInbound } from '../features/messages/inbound/inbound.queries.ts'
import { keyOf } from '../features/messages/inbound/inbound.rules.ts'
import { acknowledge } from '../features/messages/outbox/receipts.actions.ts'
import type { Secrets } from '../platform/access/secrets.ts'
import { databaseTime } from '../platform/clock.ts'
import { isConnectionFailure, isLostRace, isUnfit } from '../platform/errors.ts'
import { externalIdOf } from '../platform/external.ts'
import { allEnded } from '../platform/postgres/db.ts'
import type { Tx } from '../platform/scope.ts'
import type { ChannelConnection } from './connection.ts'
import { strangeFrom } from './received.ts'

/** Receipts or log rows of one statement. */
const AT_ONCE = 500

/**
 * Receives events of a driver: their effects and their rows in the raw log are one commit. When the effects fail, the rows
 * are still written, and handled again later; when that fails, too, this throws, and the driver must not confirm. Repeated
 * events change nothing. Several batches are committed together or not at all: it throws, so that each is tried by itself.
 * Answers for each batch whether something is left to handle.
 */
export async function receiveInbound(
  connection: ChannelConnection,
  batches: InboundEvent[][],
): Promise<boolean[]> {
  const { scope, whatsappId, fence, log, platform } = connection
  const events = batches.flat().map(one => sealed(one, platform.secrets, scope.companyId))
  const receive = (most?: number) =>
    scope.transaction(async tx => {
      // The fence has to hold at the commit only: it runs beside the work.
      const [isIncomplete] = await allEnded([applyEvents(tx, whatsappId, events, { most }), fence(tx)])
      return batches.map(() => isIncomplete)
    })
  try {
    // A new customer may write to two connections, or under two names, at once: the second try finds the contact of the first.
    return await receive().catch(error => (isLostRace(error) ? receive(1) : Promise.reject(error)))
  } catch (error) {
    if (batches.length > 1 || error instanceof LeaseLost || isConnectionFailure(error)) throw error
    log.error({ err: error, whatsappId }, 'inbound events could not be handled at once')
    await logUnhandled(connection, events)
    return [true]
  }
}

/**
 * Only logs events, to be handled later. Where that fails by what is in them, each is logged by itself, and one that cannot
 * be logged becomes a row of the kind `strange`: it holds up none of the others.
 */
async function logUnhandled(connection: ChannelConnection, events: InboundEvent[]): Promise<void> {
  const { whatsappId, log } = connection
  const write = (some: InboundEvent[]) =>
    connection.write(async tx => {
      const isStrange = ({ kind }: InboundEvent) => kind === 'strange'
      const entries = some.map(event => ({
        event,
        handled: isStrange(event) ? { ticketId: null, spentMs: 0 } : null,
      }))
      await logEvents(tx, whatsappId, entries)
    })
  try {
    await write(events)
  } catch (error) {
    if (!isUnfit(error)) throw error
    if (events.length > 1) for (const one of events) await logUnhandled(connection, [one])
    else {
      log.error({ err: error, whatsappId }, 'an inbound event cannot be stored as it is')
      await write([strangeFrom(events[0]!, error)])
    }
  }
}

/** What a file is fetched with is as secret as the file: it is encrypted in the message and in the log. */
function sealed(event: InboundEvent, secrets: Secrets, companyId: number): InboundEvent {
  const seal = <File extends { source: string }>(file: File) => ({
    ...file,
    source: secrets.seal(companyId, file.source),
  })
  if (event.kind === 'message' && event.file) return { ...event, file: seal(event.file) }
  if (event.kind === 'profile' && event.picture) return { ...event, picture: seal(event.picture) }
  return event
}

/**
 * Applies events and logs them. Answers whether one is not complete, as its picture is not fetched yet. `picture`: the
 * address of the fetched picture; `most`: messages that are received together, which lock their chats and tickets.
 */
export async function applyEvents(
  tx: Tx,
  whatsappId: number,
  events: InboundEvent[],
  { picture = null, most = 50 }: { picture?: string | null; most?: number | undefined } = {},
): Promise<boolean> {
  let isIncomplete = false
  let applied: Parameters<typeof logEvents>[2] = []
  for (const run of runsOf(events, most)) {
    const begun = performance.now()
    // A deletion may precede its message in the same batch: the message looks it up in the log.
    if (run[0]!.kind === 'message' && applied.some(({ event }) => event.kind === 'delete')) {
      await logEvents(tx, whatsappId, applied)
      applied = []
    }
    const effects = await effectsOf(tx, whatsappId, run)
    const spentMs = Math.round((performance.now() - begun) / run.length)
    for (const [at, event] of run.entries()) {
      const { ticketId, missing } = effects[at]!
      if (picture) await putPictureOn(tx, event.chat, picture)
      const isLeft = missing && !picture
      applied.push({ event, handled: isLeft ? null : { ticketId, spentMs } })
      if (isLeft) isIncomplete = true
    }
  }
  await logEvents(tx, whatsappId, applied)
  return isIncomplete
}

/** What each event concerns; one that is alone may be of any kind. */
async function effectsOf(tx: Tx, whatsappId: number, run: InboundEvent[]) {
  const concerning = (ticketIds: (number | null)[]) =>
    ticketIds.map(ticketId => ({ ticketId, missing: false }))
  const receipts = run.flatMap(one => (one.kind === 'ack' ? { ...one, whatsappId } : []))
  if (receipts.length === run.length) return concerning(await acknowledge(tx, receipts))
  const messages = run.flatMap(one => (isPlainMessage(one) ? one : []))
  if (messages.length === run.length) return concerning(await receiveMessages(tx, whatsappId, messages))
  return [await applyInbound(tx, whatsappId, run[0]!)]
}

/**
 * Consecutive receipts of different messages, or messages of different chats, are applied together; every other event by itself.
 * A message does not join the one that it quotes, nor another of its person: it finds what they changed. Nor do what customers
 * wrote and what was typed on the phone join: one person may be named differently in both, and the later decides who waits.
 */
function runsOf(events: InboundEvent[], most: number): InboundEvent[][] {
  const runs: InboundEvent[][] = []
  const inRun = new Set<string>()
  let kind = ''
  const joining = (event: InboundEvent) => {
    if (event.kind === 'ack') return { is: 'receipts', keys: [event.externalId], limit: AT_ONCE }
    if (!isPlainMessage(event)) return { is: '', keys: [], limit: 0 }
    const { chat, externalId, quotedExternalId, fromMe } = event
    const keys = [chat.value, chat.also?.value ?? chat.value, externalId]
    return { is: fromMe ? 'answers' : 'questions', keys, quoted: quotedExternalId, limit: most }
  }
  for (const event of events) {
    const { is, keys, quoted = '', limit } = joining(event)
    const isApart = inRun.has(quoted) || keys.some(key => inRun.has(key))
    const run = runs.at(-1)
    if (run && is !== '' && is === kind && run.length < limit && !isApart) run.push(event)
    else {
      inRun.clear()
      runs.push([event])
    }
    kind = is
    for (const key of keys) inRun.add(key)
  }
  return runs
}

/** `handled` null: it is handled again later. */
async function logEvents(
  tx: Tx,
  whatsappId: number,
  entries: { event: InboundEvent; handled: { ticketId: number | null; spentMs: number } | null }[],
) {
  const handledAt = databaseTime()
  const rows = entries.map(({ event, handled }) => ({
    companyId: tx.companyId,
    whatsappId,
    key: keyOf(event),
    chat: externalIdOf(event.chat.value),
    event: JSON.stringify(event),
    ticketId: handled?.ticketId ?? null,
    spentMs: handled?.spentMs ?? 0,
    handledAt: handled && handledAt,
    failure: event.kind === 'strange' ? event.why : '',
  }))
  // A key that is twice in one batch is one row, the first: as if the second had come later.
  const distinct = [...new Map(rows.toReversed().map(row => [row.key, row])).values()].reverse()
  for (let at = 0; at < distinct.length; at += AT_ONCE) {
    const written = await writeInbound(tx, distinct.slice(at, at + AT_ONCE))
    for (const row of written) tx.emit(inboundLogged, { row, again: false })
  }
}
