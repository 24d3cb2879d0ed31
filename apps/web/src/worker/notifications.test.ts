import type { PushPayload } from '@balcao/contract/push.ts'
import { expect, test, vi } from 'vitest'
import { openNotified, show } from './notifications.ts'
import type { Client, WorkerSelf } from './self.ts'

const payload: PushPayload = {
  ...{ kind: 'mine', ticketId: 41, ticketUuid: null, title: 'Lia', body: 'Ainda tem?' },
  ...{ tag: 'ticket 41', badge: 3 },
}

/** A window of the app; on a page that does not answer it is led by the worker. */
function windowOf({ focused = false, answers = true } = {}) {
  const window = {
    focused,
    url: 'https://balcao.test/contacts',
    focus: vi.fn(async () => window as Client),
    navigate: vi.fn(async () => window as Client),
    asked: [] as unknown[],
    postMessage(message: unknown, [port]: MessagePort[]) {
      window.asked.push(message)
      if (answers) port!.postMessage(true)
    },
  }
  return window
}

function workerWith(windows: Client[]) {
  const shown = vi.fn(async (_title: string, _options: NotificationOptions) => {})
  const badge = vi.fn(async () => {})
  const openWindow = vi.fn(async () => null)
  const worker = {
    navigator: { setAppBadge: badge },
    registration: { showNotification: shown },
    clients: { matchAll: async () => windows, openWindow },
  } as Partial<Record<keyof WorkerSelf, unknown>> as WorkerSelf
  return { worker, shown, badge, openWindow }
}

const notification = (data: unknown) => ({ data, close: vi.fn() }) as Partial<Notification> as Notification

test('a push is shown where nobody looks at the app, one for each ticket, with the count on the icon', async () => {
  const { worker, shown, badge } = workerWith([windowOf()])
  await show(worker, payload)
  expect(badge).toHaveBeenCalledWith(3)
  const [[title, options]] = shown.mock.calls as [[string, NotificationOptions]]
  expect([title, options.body, options.tag, options.data]).toEqual([
    'Lia',
    'Ainda tem?',
    'ticket 41',
    { path: '/tickets/41' },
  ])
})

test('the app in front announces by itself; a notification that is tried out is shown all the same', async () => {
  const { worker, shown } = workerWith([windowOf({ focused: true })])
  await show(worker, payload)
  expect(shown).not.toHaveBeenCalled()
  await show(worker, { ...payload, kind: 'test' })
  expect(shown).toHaveBeenCalledTimes(1)
})

test('a click leads the open app to the ticket, the page of a window that does not answer by its address, else a new one', async () => {
  const clicked = notification({ path: '/tickets/41' })
  const running = windowOf()
  const { worker } = workerWith([running])
  await openNotified(worker, clicked)
  expect(clicked.close).toHaveBeenCalled()
  expect([running.asked, running.navigate.mock.calls]).toEqual([[{ open: '/tickets/41' }], []])
  const elsewhere = windowOf({ answers: false })
  await openNotified(workerWith([elsewhere]).worker, clicked)
  expect(elsewhere.navigate).toHaveBeenCalledWith('/tickets/41')
  const none = workerWith([])
  await openNotified(none.worker, clicked)
  expect(none.openWindow).toHaveBeenCalledWith('/tickets/41')
})
