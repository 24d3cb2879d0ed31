import { connectionDeletedChannel } from '@balcao/contract/connections.ts'
import { queueChannel } from '@balcao/contract/queues.ts'
import { ticketChannel } from '@balcao/contract/tickets.ts'
import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { followList } from './lists.ts'
import { connect, join, listen } from './live.ts'
import { queryClient } from './query.ts'

const refreshSession = vi.hoisted(() => vi.fn())
vi.mock('./call.ts', async original => ({
  ...(await original()),
  refreshSession,
  token: { read: () => 'kept' },
}))

/** What the socket of the page would do, driven by the test. */
const line = vi.hoisted(() => {
  const handlers = new Map<string, (...given: unknown[]) => void>()
  let any: (name: string, payload: unknown) => void = () => {}
  return {
    emitted: [] as unknown[][],
    connected: false,
    recovered: false,
    active: true,
    io: { engine: { close: () => line.receive('disconnect', 'transport close') } },
    connects: 0,
    on: (name: string, handle: () => void) => handlers.set(name, handle),
    onAny: (handle: typeof any) => {
      any = handle
    },
    emit: (...given: unknown[]) => void line.emitted.push(given),
    connect: () => void line.connects++,
    disconnect: () => {},
    receive: (name: string, ...given: unknown[]) => handlers.get(name)?.(...given),
    pushes: (name: string, payload: unknown) => any(name, payload),
  }
})
vi.mock('socket.io-client', () => ({ io: () => line }))
/** Network loss is an event of the window. */
vi.stubGlobal('window', new EventTarget())

let invalidate: ReturnType<typeof vi.spyOn>
beforeEach(() => {
  vi.useFakeTimers()
  line.emitted.length = 0
  line.connects = 0
  line.recovered = false
  line.connected = false
  line.active = true
  invalidate = vi.spyOn(queryClient, 'invalidateQueries').mockResolvedValue()
})
afterEach(() => vi.useRealTimers())

/** The socket is open when its script is loaded. */
async function connected(companyId: number) {
  const close = connect(companyId)
  await vi.dynamicImportSettled()
  return close
}

test('A screen that listened before the company was known hears its own company only', async () => {
  const received = vi.fn()
  const stop = listen(ticketChannel, received)
  const close = await connected(3)
  line.pushes('ticket-3', { action: 'delete', ticketId: 1 })
  line.pushes('ticket-33', { action: 'delete', ticketId: 2 })
  expect(received.mock.calls).toEqual([[{ action: 'delete', ticketId: 1 }]])
  stop()
  line.pushes('ticket-3', { action: 'delete', ticketId: 4 })
  expect(received).toHaveBeenCalledOnce()
  close()
})

test('Channels without a company in their name are heard as they are', async () => {
  const received = vi.fn()
  const stop = listen(connectionDeletedChannel, received)
  const close = await connected(3)
  line.pushes('whatsapp', { action: 'delete', whatsappId: 9 })
  expect(received).toHaveBeenCalledWith({ action: 'delete', whatsappId: 9 })
  stop()
  close()
})

test('Every connection says again what the screen looks at [EVENT-022]', async () => {
  const leave = join('joinChatBox', 12)
  const close = await connected(3)
  line.receive('connect')
  line.receive('connect')
  expect(line.emitted).toEqual([
    ['joinNotification'],
    ['joinChatBox', 12],
    ['joinNotification'],
    ['joinChatBox', 12],
  ])
  leave()
  line.receive('connect')
  expect(line.emitted.at(-1)).toEqual(['joinNotification'])
  close()
})

test('What several look at is said once, and goes on while one of them looks', async () => {
  const close = await connected(3)
  line.receive('connect')
  line.connected = true
  const leaves = [join('joinTickets', 'open'), join('joinTickets', 'open')]
  const joins = () => line.emitted.filter(([event]) => event === 'joinTickets').length
  expect(joins()).toBe(1)
  leaves[0]!()
  line.receive('connect')
  expect(joins()).toBe(2)
  leaves[1]!()
  line.receive('connect')
  expect(joins()).toBe(2)
  close()
})

test('What the server could not replay is fetched afresh; what it replays is not', async () => {
  const close = await connected(3)
  line.receive('connect')
  expect(invalidate).toHaveBeenCalledOnce()
  line.recovered = true
  line.receive('connect')
  expect(invalidate).toHaveBeenCalledOnce()
  close()
})

test('Where news were lost on their way the screen fetches, once, not all screens at the same moment', async () => {
  const close = await connected(3)
  line.pushes('gap', {})
  line.pushes('gap', {})
  vi.advanceTimersByTime(2_000)
  expect(invalidate).toHaveBeenCalledOnce()
  line.pushes('gap', {})
  vi.advanceTimersByTime(2_000)
  expect(invalidate).toHaveBeenCalledTimes(2)
  close()
})

test('What was being fetched for the first time when the line came may be too old: it is fetched once more', async () => {
  invalidate.mockRestore()
  const answers = [Promise.withResolvers<string>(), Promise.withResolvers<string>()]
  const asked = vi.fn(() => answers[asked.mock.calls.length - 1]!.promise)
  const shown = new QueryObserver(queryClient, { queryKey: ['list'], queryFn: asked })
  const leave = shown.subscribe(() => {})
  const close = await connected(3)
  line.receive('connect')
  expect(asked).toHaveBeenCalledOnce()
  answers[0]!.resolve('read before the push')
  await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(2))
  answers[1]!.resolve('as it is now')
  await vi.waitFor(() => expect(shown.getCurrentResult().data).toBe('as it is now'))
  leave()
  close()
})

test('Sent away by the server, it asks for a new token and knocks again, also when the server is away', async () => {
  refreshSession.mockRejectedValueOnce(new Error('away')).mockResolvedValueOnce({ token: 'new' })
  const close = await connected(3)
  line.active = false
  line.receive('connect_error', new Error('ERR_SESSION_EXPIRED'))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(line.connects).toBe(0)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(line.connects).toBe(1)
  close()
})

test('When the session is over it does not knock again', async () => {
  refreshSession.mockReset().mockResolvedValue(null)
  const close = await connected(3)
  line.receive('disconnect', 'io server disconnect')
  await vi.advanceTimersByTimeAsync(10_000)
  expect([refreshSession.mock.calls.length, line.connects]).toEqual([1, 0])
  close()
})

test('A list that changed is fetched again once, at some moment of the next second', async () => {
  const stop = followList(queueChannel, ['queues'])
  const close = await connected(3)
  for (const queueId of [1, 2, 3]) line.pushes('queue-3', { action: 'delete', queueId })
  expect(invalidate).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(invalidate.mock.calls).toEqual([[{ queryKey: ['queues'] }]])
  line.pushes('queue-3', { action: 'delete', queueId: 4 })
  stop()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(invalidate).toHaveBeenCalledOnce()
  close()
})
