import type { PushPayload } from '@balcao/contract/push.ts'
import type { Client, WorkerSelf } from './self.ts'

/** A window answers within this time (ms); one on another page does not. */
const ANSWER_MS = 1_000

/** Shows what was pushed; nothing where somebody looks at the app, which announces it by itself. */
export async function show(worker: WorkerSelf, payload: PushPayload): Promise<void> {
  const { title, body, tag, badge, ticketId, kind } = payload
  if (badge > 0) await worker.navigator.setAppBadge?.(badge).catch(() => {})
  const windows = await windowsOf(worker)
  if (kind !== 'test' && windows.some(({ focused }) => focused)) return
  const path = ticketId === null ? '/tickets' : `/tickets/${ticketId}`
  const more = { renotify: true }
  await worker.registration.showNotification(title, {
    ...{ body, tag, icon: '/icon-192.png', badge: '/badge-96.png', data: { path }, ...more },
  })
}

/** The ticket, in an open window of the app, else in a new one. */
export async function openNotified(worker: WorkerSelf, notification: Notification): Promise<void> {
  notification.close()
  const { path = '/tickets' } = (notification.data ?? {}) as { path?: string }
  const windows = await windowsOf(worker)
  const [first] = windows.toSorted((a, b) => Number(b.focused) - Number(a.focused))
  if (!first) {
    await worker.clients.openWindow(path)
    return
  }
  // a window may be moved only while the click counts as the user's
  const isOpening = opens(first, path)
  await first.focus().catch(() => {})
  if (!(await isOpening)) await first.navigate(path).catch(() => worker.clients.openWindow(path))
}

/** Whether the app in the window goes there. */
const opens = (window: Client, path: string): Promise<boolean> =>
  new Promise(resolve => {
    const { port1, port2 } = new MessageChannel()
    const late = setTimeout(() => resolve(false), ANSWER_MS)
    port1.onmessage = () => {
      clearTimeout(late)
      resolve(true)
    }
    window.postMessage({ open: path }, [port2])
  })

const windowsOf = ({ clients }: WorkerSelf) => clients.matchAll({ type: 'window', includeUncontrolled: true })
