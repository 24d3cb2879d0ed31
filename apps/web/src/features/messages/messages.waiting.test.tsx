import { expect, test } from 'vitest'
import { messageOn, ticketOf } from '../../../testing/counter.ts'
import { marina } from '../../../testing/people.ts'
import { dropWaiting, keepWaiting, readWaiting, waitingIn } from './messages.waiting.ts'

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
