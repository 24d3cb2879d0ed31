import type { Logger } from 'pino'
import type { S3Config } from '../config.ts'
import { FilesUnavailable, isConnectionFailure, Refusal } from '../errors.ts'
import { watchServer } from '../observe/servers.ts'
import type { FileStore } from './files.ts'

/** How often (ms) a bucket is asked whether it answers. */
const LOOK_MS = 60_000

/** The store in S3, and the server as it was met last; it is asked only with a log. The S3 client is large: others do not load it. */
export async function openBucket(config: S3Config, log: Pick<Logger, 'warn' | 'info'> | undefined) {
  const { openS3, placeOfS3 } = await import('./s3.ts')
  const { ask, ...store } = openS3(config)
  const server =
    log &&
    watchServer({
      ...{ what: 'the server of files', place: placeOfS3(config), log, everyMs: LOOK_MS, ask },
      lacks: 'what has a file waits or is refused',
    })
  return { store: available(store, server?.note), server: server ?? null }
}

/** What the server does not answer or refuses ends as FilesUnavailable. */
function available(store: FileStore, note: (error: unknown) => void = () => {}): FileStore {
  const tried = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      const result = await work()
      note(null)
      return result
    } catch (error) {
      if (error instanceof Refusal || !isOfServer(error)) throw error
      note(error)
      throw new FilesUnavailable('the server of files does not answer', { cause: error })
    }
  }
  return {
    ...store,
    write: (...given) => tried(() => store.write(...given)),
    read: (...given) => tried(() => store.read(...given)),
    remove: (...given) => tried(() => store.remove(...given)),
    sizeOf: (...given) => tried(() => store.sizeOf(...given)),
    removeFolder: (...given) => tried(() => store.removeFolder(...given)),
  }
}

/** Not an error of the source that is read while it is written. */
const isOfServer = (error: unknown) =>
  error instanceof Error &&
  ('$metadata' in error || isConnectionFailure(error) || error.name === 'TimeoutError')
