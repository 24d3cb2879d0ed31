import { ofPerson } from '../../platform/person.ts'
import { READ_CACHE, SHARED_CACHE } from '../../worker/names.ts'

/** Undefined where the browser has none: without encryption, in a private window. */
export const workers = (): ServiceWorkerContainer | undefined => globalThis.navigator?.serviceWorker

/** A newer one waits until no window of this version is open. */
export async function startWorker(): Promise<void> {
  // while it is developed the files change without a build
  if (import.meta.env.PROD)
    await workers()
      ?.register('/sw.js', { updateViaCache: 'none' })
      .catch(error => console.warn('the app is not kept for use without a connection', error))
}

/** What a user read is not there for another, nor after the session ended; the worker deletes it at a logout too. */
export async function forgetRead(): Promise<void> {
  if (!('caches' in globalThis)) return
  for (const name of await caches.keys())
    if (name.startsWith(READ_CACHE) || name === SHARED_CACHE) await caches.delete(name)
}

ofPerson(() => void forgetRead().catch(error => console.warn('what was read is not deleted', error)))
