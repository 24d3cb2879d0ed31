import type { Media } from '@balcao/contract/media.ts'
import type { Logger } from 'pino'
import { type ChannelSession, Gone, type HeardFile, LeaseLost } from '../driver.ts'
import type { Fence } from '../features/connections/connections.leases.ts'
import { lockMessage } from '../features/messages/messages.queries.ts'
import { saveMessage } from '../features/messages/messages.save.ts'
import { filesDue, putOffFile } from '../features/messages/messages.waiting.ts'
import { Refusal } from '../platform/errors.ts'
import { addressOf } from '../platform/files.served.ts'
import type { Files, StoredFile } from '../platform/files.ts'
import type { Scope } from '../platform/scope.ts'
import type { Secrets } from '../platform/secrets.ts'
import { traced } from '../platform/trace.ts'

/** So many downloads run at once on one connection: a hundred pictures must not hold up each other's chat. */
const AT_ONCE = 4
/** After so many tries a file is shown as failed; somebody may ask for it again. */
const MAX_ATTEMPTS = 6
const FIRST_WAIT_MS = 5_000
const LONGEST_WAIT_MS = 10 * 60_000

interface Running {
  scope: Scope
  whatsappId: number
  session: ChannelSession
  fence: Fence
  files: Files
  secrets: Secrets
  log: Logger
}

/** Fetches a file and keeps it; answers where it is shown. `source` is sealed. */
export type Fetch = (file: Pick<HeardFile, 'name' | 'type' | 'source'>) => Promise<string>

export const fetchInto =
  (running: Omit<Running, 'scope' | 'fence' | 'log' | 'whatsappId'> & { companyId: number }): Fetch =>
  async file =>
    addressOf((await download(running, file)).key)

/**
 * Begins with what is due on one connection, a few at once; `busy` holds what is being fetched, and `again` is called
 * when one is done. Nobody waits for the others: a file that does not come must not hold up those that do.
 */
export async function fetchDueMedia(running: Running, busy: Set<string>, again: () => void): Promise<void> {
  if (busy.size >= AT_ONCE || !running.session.ready()) return
  const waiting = await running.scope.list(tx => filesDue(tx, running.whatsappId))
  const next = waiting.filter(({ id }) => !busy.has(id)).slice(0, AT_ONCE - busy.size)
  for (const one of next) {
    busy.add(one.id)
    void traced(one.id, () => fetchOne(running, one))
      .then(() => true)
      // Neither kept nor written down as failed: the next look around begins with it again.
      .catch(error => {
        if (!(error instanceof LeaseLost))
          running.log.warn({ err: error }, 'a file could not be looked after')
        return false
      })
      .then(isSettled => {
        busy.delete(one.id)
        if (isSettled) again()
      })
  }
}

type Due = Awaited<ReturnType<typeof filesDue>>[number]

async function fetchOne(running: Running, { id, media, source, attempts }: Due) {
  const { scope, files, log, whatsappId } = running
  const { companyId } = scope
  try {
    const kept = await download({ ...running, companyId }, { ...media, source })
    if (!(await arrived(running, id, kept))) await files.remove(companyId, kept.key)
  } catch (error) {
    if (error instanceof LeaseLost) throw error
    log.warn({ err: error, whatsappId, messageId: id }, 'a file could not be fetched')
    await failed(running, id, attempts + 1, error instanceof Gone || error instanceof Refusal)
  }
}

/** A broken try is replaced by the next: the same source gives the same key. */
async function download(
  {
    session,
    secrets,
    files,
    companyId,
  }: Pick<Running, 'session' | 'secrets' | 'files'> & { companyId: number },
  { name, type, source }: Pick<HeardFile, 'name' | 'type' | 'source'>,
): Promise<StoredFile> {
  const bytes = await session.download(secrets.open(companyId, source))
  return files.put(companyId, bytes, { name, type, unknown: 'keep', from: source })
}

/** False when the message went meanwhile. */
const arrived = ({ scope, fence }: Running, messageId: string, kept: StoredFile) =>
  scope.transaction(async tx => {
    await fence(tx)
    const message = await lockMessage(tx, messageId)
    if (!message?.media) return false
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
      mediaUrl: addressOf(kept.key),
      mediaType: kindOf(message.mediaType, kept),
      mediaSource: null,
      mediaDue: null,
    })
    return true
  })

/** What the sender said stands, since its box is on the screen already; what nobody said the content may say. */
function measuresOf({ seconds, width, height }: Media, kept: StoredFile) {
  const box = width && height ? { width, height } : { width: kept.width, height: kept.height }
  return { seconds: seconds ?? kept.seconds, ...box }
}

/** The content says what a file is: no browser plays a document that calls itself a film. */
function kindOf(said: string | null, { kind, type }: StoredFile) {
  if (said === 'sticker' && type === 'image/webp') return said
  return said && ['image', 'video', 'audio', 'sticker'].includes(said) ? kind : said
}

const failed = ({ scope, fence }: Running, messageId: string, attempts: number, final: boolean) =>
  scope.transaction(async tx => {
    await fence(tx)
    const message = await lockMessage(tx, messageId)
    if (!message?.media) return
    if (!final && attempts < MAX_ATTEMPTS) {
      const wait = Math.min(FIRST_WAIT_MS * 3 ** (attempts - 1), LONGEST_WAIT_MS)
      const mediaDue = new Date(Date.now() + wait).toISOString()
      await putOffFile(tx, messageId, attempts, mediaDue)
      return
    }
    await saveMessage(tx, message, {
      media: { ...message.media, state: 'failed' },
      mediaAttempts: attempts,
      mediaDue: null,
    })
  })
