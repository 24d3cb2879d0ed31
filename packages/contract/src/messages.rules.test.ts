import { describe, expect, test } from 'vitest'
import { applyMessagePush, nextAck } from './messages.rules.ts'
import type { Message, MessagePush } from './messages.ts'

const said = (id: string, more: Partial<Message> = {}) =>
  ({ id, ack: 1, version: 1, createdAt: '2026-03-02T12:00:00.000Z', ...more }) as Message
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

  test('of a failed message rises again when it did arrive', () => {
    expect(nextAck(0, 3)).toBe(3)
  })
})

describe('a conversation on the screen', () => {
  test('takes a new message where its time puts it, and once', () => {
    const late = said('a', { createdAt: '2026-03-02T11:59:00.000Z' })
    const once = applyMessagePush([said('b'), said('d')], push('create', said('c')), everything)
    expect(ids(applyMessagePush(once, push('create', late), everything))).toEqual(['a', 'b', 'c', 'd'])
    expect(applyMessagePush(once, push('create', said('c')), everything)).toEqual(once)
  })

  test('takes newer news of a message it shows, and drops older', () => {
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
