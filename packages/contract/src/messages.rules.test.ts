import { describe, expect, test } from 'vitest'
import { applyMessagePush, nextAck, sign, signatureOf, UNKNOWN_OUTCOME } from './messages.rules.ts'
import type { Message, MessagePush } from './messages.ts'

const said = (id: string, more: Partial<Message> = {}) =>
  ({ id, ack: 1, version: 1, position: 2 * 'abcd'.indexOf(id), ...more }) as Message
const push = (action: 'create' | 'update', message: Message) => ({ action, message }) as MessagePush
const everything = () => true
const ids = (messages: Message[]) => messages.map(({ id }) => id)

describe('an ack', () => {
  test('only rises, whatever the order in which receipts come', () => {
    for (const known of [1, 2, 3, 4, 5])
      for (const heard of [1, 2, 3, 4, 5]) expect(nextAck(known, heard)).toBe(Math.max(known, heard))
  })

  test('becomes a failure only while delivery is not known', () => {
    expect([1, 2, 3, 4, 5].map(known => nextAck(known, 0))).toEqual([0, 0, 3, 4, 5])
  })

  test('of a failed message rises again when it did arrive, and not by what was said before it failed', () => {
    expect([1, 2, 3, 4, 5].map(heard => nextAck(0, heard, 'ERR_WAPP_WINDOW_CLOSED'))).toEqual([0, 0, 3, 4, 5])
  })

  test('of a message that was given up rises with any word of the network', () => {
    expect([2, 3].map(heard => nextAck(0, heard, UNKNOWN_OUTCOME))).toEqual([2, 3])
  })
})

describe('a conversation on the screen', () => {
  test('takes a new message at its place, whatever its clock says, and once [LIVE-011]', () => {
    const early = said('a', { createdAt: '2026-03-02T12:59:00.000Z' })
    const once = applyMessagePush([said('b'), said('d')], push('create', said('c')), everything)
    expect(ids(applyMessagePush(once, push('create', early), everything))).toEqual(['a', 'b', 'c', 'd'])
    expect(applyMessagePush(once, push('create', said('c')), everything)).toEqual(once)
  })

  test('puts what this screen wrote at the place that the server gave it', () => {
    const mine = said('c', { version: 0, position: 2 ** 52 })
    const shown = [said('a'), said('d'), mine]
    expect(ids(applyMessagePush(shown, push('create', said('c')), everything))).toEqual(['a', 'c', 'd'])
  })

  test('keeps imported ones of one place in the order of their ids', () => {
    const [first, second] = [said('01a', { position: 3 }), said('01b', { position: 3 })]
    const shown = applyMessagePush([said('b'), said('c')], push('create', second), everything)
    expect(ids(applyMessagePush(shown, push('create', first), everything))).toEqual(['b', '01a', '01b', 'c'])
  })

  test('takes newer news of a message it shows, and drops older [LIVE-012]', () => {
    const shown = [said('a', { version: 3, ack: 3 })]
    expect(applyMessagePush(shown, push('update', said('a', { version: 4, ack: 4 })), everything)).toEqual([
      said('a', { version: 4, ack: 4 }),
    ])
    expect(applyMessagePush(shown, push('update', said('a', { version: 2, ack: 2 })), everything)).toEqual(
      shown,
    )
  })

  test('leaves out what is not part of it, and changes of what it has not loaded', () => {
    expect(applyMessagePush([], push('create', said('a')), () => false)).toEqual([])
    expect(applyMessagePush([], push('update', said('a')), everything)).toEqual([])
  })

  test('loses a deleted message', () => {
    const gone = { action: 'delete', messageId: 'a', ticketId: 1 } as const
    expect(ids(applyMessagePush([said('a'), said('b')], gone, everything))).toEqual(['b'])
  })
})

test('a signed text names its author on a line of its own, and nothing else is taken for a signature', () => {
  expect(sign('Marina Duarte', 'Bom dia')).toBe('*Marina Duarte:*\nBom dia')
  expect(sign('Marina Duarte', '')).toBe('')
  expect(signatureOf('*Marina Duarte:*\nBom dia')).toBe('*Marina Duarte:*\n')
  for (const body of ['Bom dia', '*Prazo:* amanhã', 'veja\n*Marina:*\noi']) expect(signatureOf(body)).toBe('')
})
