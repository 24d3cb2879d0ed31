import { withNewerFields } from '@balcao/whatsapp-server/newer-fields.ts'
import { proto } from 'baileys'
import { expect, test } from 'vitest'
import { MESSAGE_FIELDS } from './message-fields.ts'
import { fieldsIn, keepUnreadFields, libraryFields, unreadFieldsOf } from './unread-fields.ts'

keepUnreadFields()
keepUnreadFields()

const newer = Buffer.from('dentro')
const numbersOf = (message: proto.IMessage | null | undefined) =>
  unreadFieldsOf(message).map(({ number, bytes }) => [number, Buffer.from(bytes).toString()])

test('a field that the schema lacks is kept when it is decoded and encoded again, also inside of others', () => {
  const message = withNewerFields({ conversation: 'oi' }, { 900: newer })
  const written = proto.Message.encode({ ephemeralMessage: { message } }).finish()
  const read = proto.Message.decode(written)
  expect(unreadFieldsOf(read)).toEqual([])
  expect(numbersOf(read.ephemeralMessage?.message)).toEqual([[900, 'dentro']])
  const again = proto.Message.decode(proto.Message.encode(read).finish())
  expect(again.ephemeralMessage?.message?.conversation).toBe('oi')
  expect(numbersOf(again.ephemeralMessage?.message)).toEqual([[900, 'dentro']])
})

test('in the message of a history it is kept too', () => {
  const message = withNewerFields({}, { 118: newer })
  const conversations = [{ id: '1@lid', messages: [{ message: { key: { id: 'A' }, message } }] }]
  const chunk = proto.HistorySync.decode(proto.HistorySync.encode({ syncType: 3, conversations }).finish())
  expect(numbersOf(chunk.conversations[0]?.messages?.[0]?.message?.message)).toEqual([[118, 'dentro']])
})

test('malformed bytes end the reading: of fields that are no texts only the number is known', () => {
  // field 200 as a number, field 201 as 8 bytes, field 202 as 4, then one that is longer than what is left
  const bytes = [
    0xc0,
    0x0c,
    0x96,
    0x01,
    0xc9,
    0x0c,
    ...Array(8).fill(1),
    0xd5,
    0x0c,
    1,
    2,
    3,
    4,
    0x0a,
    0x7f,
    1,
  ]
  expect(fieldsIn(Uint8Array.from(bytes)).map(({ number, bytes: { length } }) => [number, length])).toEqual([
    [200, 0],
    [201, 0],
    [202, 0],
  ])
  for (const odd of [[], [0], [0x0b], [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]])
    expect(fieldsIn(Uint8Array.from(odd))).toEqual([])
})

test('the fields that Baileys reads are those of the description, but for the newest', () => {
  const described = new Map(MESSAGE_FIELDS.map(([number, name]) => [number, name]))
  const library = libraryFields()
  expect([...library].filter(([number, name]) => described.get(number) !== name)).toEqual([
    [114, 'pollResultSnapshotMessageV3'],
  ])
  expect([...described.keys()].filter(number => !library.has(number))).toEqual([
    ...[115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126],
  ])
})
