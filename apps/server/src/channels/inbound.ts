import type { Logger } from 'pino'
import { type Heard, LeaseLost } from '../driver.ts'
import type { Fence } from '../features/connections/connections.leases.ts'
import { putPictureOn } from '../features/contacts/contacts.profile.ts'
import { inboundLogged } from '../features/messageLogs/messageLogs.events.ts'
import { keyOf } from '../features/messages/messages.heard.ts'
import { noteFailure, unhandledInbound, writeInbound } from '../features/messages/messages.journal.ts'
import { understand } from '../features/messages/messages.meaning.ts'
import { acknowledge } from '../features/messages/messages.receive.ts'
import { allEnded } from '../platform/db.ts'
import { isConnectionFailure, isLostRace } from '../platform/errors.ts'
import type { Scope, Tx } from '../platform/scope.ts'
import type { Secrets } from '../platform/secrets.ts'
import { newTrace, traced } from '../platform/trace.ts'
import type { Fetch } from './media.ts'

/** So many receipts or rows stand in one statement. */
const AT_ONCE = 500

interface Running {
  scope: Scope
  whatsappId: number
  fence: Fence
  log: Logger
}

/**
 * Takes what a driver heard: everything it means and the journal row that says so, in one commit. When the meaning
 * fails, the news is still written down and tried again later; when not even that is possible this throws, and the
 * driver must not confirm. The same news twice changes nothing. Several pieces are taken together or not at all: it
 * throws, so that each can be tried by itself. Answers for each piece whether something is left to be done.
 */
export async function receiveInbound(
  { scope, whatsappId, fence, log }: Running,
  secrets: Secrets,
  pieces: Heard[][],
): Promise<boolean[]> {
  const incoming = pieces.flat().map(one => sealed(one, secrets, scope.companyId))
  const takeAll = () =>
    scope.transaction(async tx => {
      // The fence stands at the commit: what is asked meanwhile need not wait for it.
      const [missing] = await allEnded([take(tx, whatsappId, incoming), fence(tx)])
      return pieces.map(() => missing)
    })
  try {
    // Somebody new may write to two connections at once: the second finds the contact that the first made.
    return await takeAll().catch(error => (isLostRace(error) ? takeAll() : Promise.reject(error)))
  } catch (error) {
    if (pieces.length > 1 || error instanceof LeaseLost || isConnectionFailure(error)) throw error
    log.error({ err: error, whatsappId }, 'news could not be handled at once')
    await scope.transaction(async tx => {
      await fence(tx)
      await writeDown(
        tx,
        whatsappId,
        incoming.map(one => ({ heard: one, handled: null })),
      )
    })
    return [true]
  }
}

/** Handles what was only written down, each row by itself, oldest first; a failing chat does not hold up the others. */
export async function catchUp(running: Running, fetchFile: Fetch): Promise<void> {
  const stuck = new Set<string>()
  for (const row of await running.scope.list(tx => unhandledInbound(tx, running.whatsappId))) {
    const heard = JSON.parse(row.heard) as Heard
    const picture = heard.kind === 'profile' ? heard.picture : null
    if (!picture && stuck.has(row.chat)) continue
    const isHandled = await traced(newTrace(), () =>
      handleAgain(running, row, heard, picture && (() => fetchFile(picture))),
    )
    if (!isHandled && !picture) stuck.add(row.chat)
  }
}

type Unhandled = Awaited<ReturnType<typeof unhandledInbound>>[number]

async function handleAgain(
  { scope, whatsappId, fence, log }: Running,
  { id, key }: Unhandled,
  heard: Heard,
  fetchPicture: (() => Promise<string>) | null | undefined,
): Promise<boolean> {
  try {
    const url = fetchPicture ? await fetchPicture() : null
    await scope.transaction(async tx => {
      await fence(tx)
      await take(tx, whatsappId, [heard], url)
    })
    return true
  } catch (error) {
    if (error instanceof LeaseLost || isConnectionFailure(error)) throw error
    log.warn({ err: error, whatsappId, key }, 'news could not be handled')
    await scope.transaction(async tx => {
      const [tried] = await noteFailure(tx, id, error)
      if (tried) tx.emit(inboundLogged, { row: tried, again: true })
    })
    return false
  }
}

/** True when something is left to be done. `picture`: where the file that the news brings is kept by now. */
async function take(tx: Tx, whatsappId: number, incoming: Heard[], picture: string | null = null) {
  let missing = false
  let noted: Noted[] = []
  for (const run of runsOf(incoming)) {
    const begun = performance.now()
    // What is said of a message may stand before it in this very piece, and is looked up in the journal.
    if (run[0]!.kind === 'message' && noted.some(({ heard }) => heard.kind === 'delete')) {
      await writeDown(tx, whatsappId, noted)
      noted = []
    }
    const meant = isReceipts(run)
      ? (await acknowledge(tx, whatsappId, run)).map(ticketId => ({ ticketId, missing: false }))
      : [await understand(tx, whatsappId, run[0]!)]
    const spentMs = Math.round((performance.now() - begun) / run.length)
    for (const [at, heard] of run.entries()) {
      const { ticketId, missing: lacks } = meant[at]!
      if (picture) await putPictureOn(tx, heard.chat, picture)
      const left = lacks && !picture
      noted.push({ heard, handled: left ? null : { ticketId, spentMs } })
      if (left) missing = true
    }
  }
  await writeDown(tx, whatsappId, noted)
  return missing
}

type Receipt = Extract<Heard, { kind: 'ack' }>

const isReceipts = (run: Heard[]): run is Receipt[] => run[0]!.kind === 'ack'

/** Receipts that follow each other, each of another message, are handled in one; everything else by itself. */
function runsOf(incoming: Heard[]): Heard[][] {
  const runs: Heard[][] = []
  const inRun = new Set<string>()
  for (const heard of incoming) {
    const joins =
      heard.kind === 'ack' && inRun.size > 0 && inRun.size < AT_ONCE && !inRun.has(heard.externalId)
    if (joins) runs.at(-1)!.push(heard)
    else {
      inRun.clear()
      runs.push([heard])
    }
    if (heard.kind === 'ack') inRun.add(heard.externalId)
  }
  return runs
}

/** What fetches a file is as good as the file: it is written down sealed, here and in the log. */
function sealed(heard: Heard, secrets: Secrets, companyId: number): Heard {
  const seal = <File extends { source: string }>(file: File) => ({
    ...file,
    source: secrets.seal(companyId, file.source),
  })
  if (heard.kind === 'message' && heard.file) return { ...heard, file: seal(heard.file) }
  if (heard.kind === 'profile' && heard.picture) return { ...heard, picture: seal(heard.picture) }
  return heard
}

interface Noted {
  heard: Heard
  /** Null keeps the row waiting. */
  handled: { ticketId: number | null; spentMs: number } | null
}

/** What the news means stands by now; here it is noted that it was heard. */
async function writeDown(tx: Tx, whatsappId: number, noted: Noted[]) {
  const handledAt = new Date().toISOString()
  const rows = noted.map(({ heard, handled }) => ({
    companyId: tx.companyId,
    whatsappId,
    key: keyOf(heard),
    chat: heard.chat.value,
    heard: JSON.stringify(heard),
    ticketId: handled?.ticketId ?? null,
    spentMs: handled?.spentMs ?? 0,
    handledAt: handled && handledAt,
    failure: heard.kind === 'strange' ? heard.why : '',
  }))
  // Twice in one piece it is one row: the first one, as if the second had come later.
  const once = [...new Map(rows.toReversed().map(row => [row.key, row])).values()].reverse()
  for (let at = 0; at < once.length; at += AT_ONCE) {
    const written = await writeInbound(tx, once.slice(at, at + AT_ONCE))
    for (const row of written) tx.emit(inboundLogged, { row, again: false })
  }
}
