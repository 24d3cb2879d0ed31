import type { Media } from '@balcao/contract/media.ts'
import type { Logger } from 'pino'
import { type ChannelSession, Gone, type InboundFile, LeaseLost } from '../driver.ts'
import type { Fence } from '../features/connections/connections.leases.queries.ts'
import { filesDue, postponeFile } from '../features/messages/inbound/media.queries.ts'
import { saveMessage } from '../features/messages/messages.actions.ts'
import { lockMessage } from '../features/messages/messages.queries.ts'
import type { Secrets } from '../platform/access/secrets.ts'
import { Refusal } from '../platform/errors.ts'
import type { Files, StoredFile } from '../platform/files/files.ts'
import { addressOf, removeFiles } from '../platform/files/served.ts'
import { traced } from '../platform/observe/trace.ts'
import type { Scope } from '../platform/scope.ts'
import { type Fault, patience, pauseAfter } from '../platform/work/retries.ts'
import { fileInSource } from './long-texts.ts'

/** Parallel downloads of one connection. */
const AT_ONCE = 4

interface Running {
  scope: Scope
  whatsappId: number
  session: ChannelSession
  fence: Fence
  files: Files
  secrets: Secrets
  log: Logger
}

/** Downloads a file into the store; answers its address. `source` is encrypted. */
export type Fetch = (file: Pick<InboundFile, 'name' | 'type' | 'source'>) => Promise<string>

export const fetchInto =
  (running: Omit<Running, 'scope' | 'fence' | 'log' | 'whatsappId'> & { companyId: number }): Fetch =>
  async file => {
    const kept = await download(running, file).catch(error => {
      throw error instanceof Unfetched ? error.cause : error
    })
    return addressOf(kept.key)
  }

/**
 * Starts the downloads that are due on one connection, a few at once; `busy` holds those that run, and `again` is called
 * when one is done. Not awaited: a hanging download does not delay the others.
 */
export async function fetchDueMedia(running: Running, busy: Set<string>, again: () => void): Promise<void> {
  if (busy.size >= AT_ONCE || !running.session.ready()) return
  // a download that ends while the list is read is still on that list
  const runningBefore = new Set(busy)
  const waiting = await running.scope.list(tx => filesDue(tx, running.whatsappId))
  const next = waiting
    .filter(({ id }) => !runningBefore.has(id) && !busy.has(id))
    .slice(0, Math.max(0, AT_ONCE - busy.size))
  for (const one of next) {
    busy.add(one.id)
    void traced(one.id, () => fetchOne(running, one))
      .then(() => true)
      // Neither stored nor recorded as failed: found again by the next look.
      .catch(error => {
        if (!(error instanceof LeaseLost)) running.log.warn({ err: error }, 'a file could not be stored')
        return false
      })
      .then(isSettled => {
        busy.delete(one.id)
        if (isSettled) again()
      })
  }
}

type Due = Awaited<ReturnType<typeof filesDue>>[number]

async function fetchOne(running: Running, due: Due) {
  const { id, media, source } = due
  const { scope, log, whatsappId } = running
  const { companyId } = scope
  try {
    const kept = await download({ ...running, companyId }, { ...media, source })
    await saveFetched(running, due, kept)
  } catch (error) {
    if (error instanceof LeaseLost) throw error
    const fault = error instanceof Unfetched ? 'recipient' : 'ours'
    const why = error instanceof Unfetched ? error.cause : error
    log.warn({ err: why, whatsappId, messageId: id, fault }, 'a file could not be fetched')
    await saveFailed(running, due, { fault, isFinal: why instanceof Gone || why instanceof Refusal })
  }
}

/** The network or the sender did not give a file; anything else that fails is our fault. */
class Unfetched extends Error {}

const unfetched = (cause: unknown): never => {
  throw new Unfetched('a file was not given', { cause })
}

/** The same source gives the same key: a try replaces the file of an interrupted one. Throws `Unfetched` for what the network did not give. */
async function download(
  {
    session,
    secrets,
    files,
    companyId,
  }: Pick<Running, 'session' | 'secrets' | 'files'> & { companyId: number },
  { name, type, source }: Pick<InboundFile, 'name' | 'type' | 'source'>,
): Promise<StoredFile> {
  const opened = secrets.open(companyId, source)
  const bytes = fileInSource(opened) ?? (await session.download(opened).catch(unfetched))
  let broken: unknown = null
  bytes.once('error', error => {
    broken = error
  })
  return files
    .put(companyId, bytes, { name, type, unknown: 'keep', from: source })
    .catch(error => (broken ? unfetched(broken) : Promise.reject(error)))
}

/**
 * The file is removed again when its message was, or has a better one to be fetched; not when a row names it, since the
 * same source gives the same key (another download of it may have been saved meanwhile).
 */
const saveFetched = ({ scope, fence }: Running, { id: messageId, source }: Due, kept: StoredFile) =>
  scope.transaction(async tx => {
    await fence(tx)
    const message = await lockMessage(tx, messageId)
    const mediaUrl = addressOf(kept.key)
    if (!message?.media || message.mediaSource !== source) return removeFiles(tx, [mediaUrl])
    if (message.mediaUrl && message.mediaUrl !== mediaUrl) await removeFiles(tx, [message.mediaUrl])
    const { name, type, size, sha256 } = kept
    await saveMessage(tx, message, {
      media: {
        ...message.media,
        ...measuresOf(message.media, kept),
        state: 'ready',
        name,
        type,
        size,
        sha256,
      },
      mediaUrl,
      mediaType: kindOf(message.mediaType, kept),
      mediaSource: null,
      mediaDue: null,
    })
  })

/** The sender's measures are kept, since screens show them already; missing ones are read from the content. */
function measuresOf({ seconds, width, height }: Media, kept: StoredFile) {
  const box = width && height ? { width, height } : { width: kept.width, height: kept.height }
  return { seconds: seconds ?? kept.seconds, ...box }
}

/** The kind follows the content: browsers do not play a document that is declared a video. */
function kindOf(declared: string | null, { kind, type }: StoredFile) {
  if (declared === 'sticker' && type === 'image/webp') return declared
  return declared && ['image', 'video', 'audio', 'sticker'].includes(declared) ? kind : declared
}

/** With our storage away nothing says for how long: each file is tried as often as the fourth time. */
const OUR_TRY = 4

/** The file is shown as failed when it is gone, or was not given for a day; a user may request it again. Our faults count for nothing. */
const saveFailed = (
  { scope, fence }: Running,
  { id: messageId, source, attempts: before }: Due,
  { fault, isFinal }: { fault: Fault; isFinal: boolean },
) =>
  scope.transaction(async tx => {
    await fence(tx)
    const message = await lockMessage(tx, messageId)
    // its better copy is fetched instead
    if (!message?.media || message.mediaSource !== source) return
    const attempts = before + (fault === 'ours' ? 0 : 1)
    const tried = { attempts: fault === 'ours' ? Math.max(attempts, OUR_TRY) : attempts, counted: attempts }
    const inMs = isFinal ? null : pauseAfter(patience.incomingFile, fault, tried)
    if (inMs !== null) return void (await postponeFile(tx, messageId, attempts, inMs))
    await saveMessage(tx, message, {
      // without its better copy a photo is shown as it was
      media: { ...message.media, state: message.mediaUrl ? 'ready' : 'failed' },
      mediaAttempts: attempts,
      mediaDue: null,
    })
  })
