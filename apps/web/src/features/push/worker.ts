import { token } from '../../platform/call.ts'
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

/**
 * What was shown leaves the screen, and nothing more comes: a server that was not reached at the logout goes on with the session
 * and its device.
 */
async function endNotifications(): Promise<void> {
  const registration = await workers()?.getRegistration()
  for (const shown of (await registration?.getNotifications?.()) ?? []) shown.close()
  // who is here by now registers the browser, which ends what another registered
  if (token.read()) return
  const known = await registration?.pushManager?.getSubscription()
  await known?.unsubscribe()
}

ofPerson(() => {
  void forgetRead().catch(error => console.warn('what was read is not deleted', error))
  void endNotifications().catch(error => console.warn('the notifications are not ended', error))
})
