import type { PushPayload } from '@balcao/contract/push.ts'
import { openNotified, show } from './notifications.ts'
import { answerOf, pathOf } from './reading.ts'
import type { WorkerSelf } from './self.ts'
import { receiveShared, SHARE } from './sharing.ts'
import { dropOtherShells, fetchShell, shellAnswer } from './shell.ts'

/**
 * The service worker (decision 128): the app without a connection as far as it was loaded, notifications, and what other apps
 * share. A new version is used when no window of the earlier one is open any more.
 */
declare const self: WorkerSelf

self.addEventListener('install', event => event.waitUntil(fetchShell()))

self.addEventListener('activate', event =>
  event.waitUntil(Promise.all([dropOtherShells(), self.clients.claim()])),
)

self.addEventListener('fetch', event => {
  const { request } = event
  if (!request.url.startsWith(`${self.location.origin}/`)) return
  const path = pathOf(request.url)
  const answer =
    request.method === 'POST' && path === SHARE
      ? receiveShared(request)
      : (shellAnswer(event, path) ?? answerOf(event, path))
  if (answer) event.respondWith(answer)
})

self.addEventListener('push', event => {
  const payload = event.data?.json() as PushPayload | undefined
  if (payload) event.waitUntil(show(self, payload))
})

self.addEventListener('notificationclick', event => event.waitUntil(openNotified(self, event.notification)))
