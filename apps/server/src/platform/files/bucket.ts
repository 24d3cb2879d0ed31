import type { Logger } from 'pino'
import type { S3Config } from '../config.ts'
import { FilesUnavailable, isConnectionFailure, Refusal } from '../errors.ts'
import { watchServer } from '../observe/servers.ts'
import { OutsideCalls, ShareFull } from '../outbound/calls.ts'
import type { S3Limits } from '../outbound/s3.client.ts'
import type { FileStore } from './files.ts'

/** How often (ms) a bucket is asked whether it answers. */
const LOOK_MS = 60_000

/** The store in S3, and the server as it was met last; it is asked only with a log. The S3 client is large: others do not load it. */
export async function openBucket(
  config: S3Config,
  log: Pick<Logger, 'warn' | 'info'> | undefined,
  { calls = new OutsideCalls(), limits }: { calls?: OutsideCalls; limits?: S3Limits } = {},
) {
  const { openS3, placeOfS3 } = await import('./s3.ts')
  const { ask, ...store } = openS3(config, limits)
  const server =
    log &&
    watchServer({
      ...{ what: 'the server of files', place: placeOfS3(config), log, everyMs: LOOK_MS, ask },
      lacks: 'what has a file waits or is refused',
    })
  return { store: available(store, calls, server?.note), server: server ?? null }
}

/** What the server does not answer or refuses ends as FilesUnavailable. */
function available(
  store: FileStore,
  calls: OutsideCalls,
  note: (error: unknown) => void = () => {},
): FileStore {
  const tried = async <T>(path: string, work: () => Promise<T>): Promise<T> => {
    try {
      const result = await calls.run({ target: 'files', companyId: Number.parseInt(path, 10) }, work)
      note(null)
      return result
    } catch (error) {
      if (error instanceof ShareFull)
        throw new FilesUnavailable('the company has too many files under way', { cause: error })
      if (error instanceof Refusal || !isOfServer(error)) throw error
      note(error)
      throw new FilesUnavailable('the server of files does not answer', { cause: error })
    }
  }
  return {
    ...store,
    write: (...given) => tried(given[0], () => store.write(...given)),
    read: (...given) => tried(given[0], () => store.read(...given)),
    remove: (...given) => tried(given[0], () => store.remove(...given)),
    sizeOf: (...given) => tried(given[0], () => store.sizeOf(...given)),
    removeFolder: (...given) => tried(given[0], () => store.removeFolder(...given)),
  }
}

/** Not an error of the source that is read while it is written. */
const isOfServer = (error: unknown) =>
  error instanceof Error &&
  ('$metadata' in error || isConnectionFailure(error) || error.name === 'TimeoutError')
