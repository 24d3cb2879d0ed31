import type { Media } from '@balcao/contract/media.ts'
import { type ChannelSession, Gone, type InboundFile, LeaseLost } from '../driver.ts'
import { filesDue, postponeFile } from '../features/messages/inbound/media.queries.ts'
import { saveMessage } from '../features/messages/messages.actions.ts'
import { lockMessage } from '../features/messages/messages.queries.ts'
import { Refusal } from '../platform/errors.ts'
import type { StoredFile } from '../platform/files/files.ts'
import { addressOf, removeFiles } from '../platform/files/served.ts'
import { traced } from '../platform/observe/trace.ts'
import { type Fault, patience, pauseAfter } from '../platform/work/retries.ts'
import type { ChannelConnection } from './connection.ts'
import { fileInSource } from './long-texts.ts'

/** Parallel downloads of one connection. */
const AT_ONCE = 4

/** Downloads a file into the store; answers its address. `source` is encrypted. */
export type Fetch = (file: Pick<InboundFile, 'name' | 'type' | 'source'>) => Promise<string>

export const fetchInto =
  (connection: ChannelConnection, session: ChannelSession): Fetch =>
  async file => {
    const kept = await download(connection, session, file).catch(error => {
      throw error instanceof Unfetched ? error.cause : error
    })
    return addressOf(kept.key)
  }

/** Starts the downloads that are due on one connection, a few at once. Not awaited: a hanging download does not delay the others. */
export async function fetchDueMedia(connection: ChannelConnection, session: ChannelSession): Promise<void> {
  const { scope, whatsappId, log, wake } = connection
  const busy = connection.fetching.files
  if (busy.size >= AT_ONCE || !connection.isReady(session)) return
  // a download that ends while the list is read is still on that list
  const runningBefore = new Set(busy)
  const waiting = await scope.list(tx => filesDue(tx, whatsappId))
  const next = waiting
    .filter(({ id }) => !runningBefore.has(id) && !busy.has(id))
    .slice(0, Math.max(0, AT_ONCE - busy.size))
  for (const one of next) {
    busy.add(one.id)
    void traced(one.id, () => fetchOne(connection, session, one))
      .then(() => true)
      // Neither stored nor recorded as failed: found again by the next look.
      .catch(error => {
        if (!(error instanceof LeaseLost)) log.warn({ err: error }, 'a file could not be stored')
        return false
      })
      .then(isSettled => {
        busy.delete(one.id)
        if (isSettled) wake('files')
      })
  }
}

type Due = Awaited<ReturnType<typeof filesDue>>[number]

async function fetchOne(connection: ChannelConnection, session: ChannelSession, due: Due) {
  const { id, media, source } = due
  const { log, whatsappId } = connection
  try {
    const kept = await download(connection, session, { ...media, source })
    await saveFetched(connection, due, kept)
  } catch (error) {
    if (error instanceof LeaseLost) throw error
    const fault = error instanceof Unfetched ? 'recipient' : 'ours'
    const why = error instanceof Unfetched ? error.cause : error
    log.warn({ err: why, whatsappId, messageId: id, fault }, 'a file could not be fetched')
    await saveFailed(connection, due, { fault, isFinal: why instanceof Gone || why instanceof Refusal })
  }
}

/** The network or the sender did not give a file; anything else that fails is our fault. */
class Unfetched extends Error {}

const unfetched = (cause: unknown): never => {
  throw new Unfetched('a file was not given', { cause })
}

/** The same source gives the same key: a try replaces the file of an interrupted one. Throws `Unfetched` for what the network did not give. */
async function download(
  { platform, lease }: ChannelConnection,
  session: ChannelSession,
  { name, type, source }: Pick<InboundFile, 'name' | 'type' | 'source'>,
): Promise<StoredFile> {
  const { secrets, files } = platform
  const { companyId } = lease
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
const saveFetched = ({ write }: ChannelConnection, { id: messageId, source }: Due, kept: StoredFile) =>
  write(async tx => {
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
  { write }: ChannelConnection,
  { id: messageId, source, attempts: before }: Due,
  { fault, isFinal }: { fault: Fault; isFinal: boolean },
) =>
  write(async tx => {
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
