import type { Message } from '@balcao/contract/messages.ts'
import { expect, test, vi } from 'vitest'
import { queryClient } from '../../platform/query.ts'
import { lookAgain, threadKey } from './messages.api.ts'
import type { CachedThread } from './messages.cache.ts'

const call = vi.hoisted(() => vi.fn())
vi.mock('../../platform/call.ts', async original => ({ ...(await original()), call }))

const at = (id: string, version: number, mediaUrl: string | null) =>
  ({ id, version, mediaUrl, position: Number(id) }) as Message
const shown = () => queryClient.getQueryData<CachedThread>(threadKey(7))!.messages

test('a file that came while the conversation was fetched stays, though the answer did not know it yet', async () => {
  const answer = Promise.withResolvers<{ messages: Message[] }>()
  call.mockReturnValueOnce(answer.promise)
  queryClient.setQueryData(threadKey(7), { messages: [at('1', 1, null)], hasMore: false })
  const looked = lookAgain(7)
  queryClient.setQueryData(threadKey(7), { messages: [at('1', 2, '/media/x.png')], hasMore: false })
  answer.resolve({ messages: [at('1', 1, null), at('2', 1, null)] })
  await looked
  expect(shown().map(({ id, mediaUrl }) => [id, mediaUrl])).toEqual([
    ['1', '/media/x.png'],
    ['2', null],
  ])
})

test('what changed while no push came is taken from the answer', async () => {
  call.mockResolvedValueOnce({ messages: [at('1', 3, '/media/y.png')] })
  queryClient.setQueryData(threadKey(7), { messages: [at('1', 2, null)], hasMore: false })
  await lookAgain(7)
  expect(shown().map(({ mediaUrl }) => mediaUrl)).toEqual(['/media/y.png'])
})

test('a look marks what was here as read, and tells the server up to where; what came meanwhile stays unread', async () => {
  call.mockResolvedValueOnce({ messages: [at('1', 1, null), at('2', 1, null)] })
  queryClient.setQueryData(threadKey(7), { messages: [at('1', 1, null)], hasMore: false })
  await lookAgain(7)
  expect(call.mock.lastCall?.[1]).toMatchObject({ query: { readUpTo: '1' } })
  expect(shown().map(({ id, read }) => [id, read])).toEqual([
    ['1', true],
    ['2', undefined],
  ])
})
