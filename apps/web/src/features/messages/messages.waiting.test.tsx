import { expect, test } from 'vitest'
import { messageOn, ticketOf } from '../../../testing/counter.ts'
import { marina } from '../../../testing/people.ts'
import { stored } from '../../platform/stored.ts'
import {
  dropWaiting,
  findWaiting,
  keepWaiting,
  readWaiting,
  type Waiting,
  waitingIn,
} from './messages.waiting.ts'

test('what waits is not forgotten by a reading that began before its person logged in', async () => {
  const message = messageOn(ticketOf('Nora Lima', {}, marina), 1)
  const { id, ticketId } = message
  keepWaiting({ id, owner: '1.3', ticketId, message, words: { body: 'Oi', quotedMsg: null }, file: null })
  expect(await readWaiting('', () => false)).toBe(false)
  expect(waitingIn(ticketId).map(one => one.id)).toEqual([id])
  expect(await readWaiting('1.3', () => true)).toBe(true)
  expect(waitingIn(ticketId).map(one => one.id)).toEqual([id])
  dropWaiting(id)
})

test('what another tab took back or sent is not sent by this one', async () => {
  const message = messageOn(ticketOf('Nora Lima', {}, marina), 2)
  const { id, ticketId } = message
  const rows = stored<Waiting>('balcao', 'waiting', 'id')
  keepWaiting({ id, owner: '1.3', ticketId, message, words: { body: 'Oi', quotedMsg: null }, file: null })
  await expect.poll(async () => (await rows.all()).map(one => one.id)).toContain(id)
  await readWaiting('1.3', () => true)
  expect(findWaiting(id)).toBeDefined()
  await rows.remove(id)
  await readWaiting('1.3', () => true)
  expect(findWaiting(id)).toBeUndefined()
})
