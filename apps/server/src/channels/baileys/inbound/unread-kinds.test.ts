import { withNewerFields } from '@balcao/whatsapp-server/newer-fields.ts'
import { proto, type WAMessage } from 'baileys'
import { expect, test } from 'vitest'
import { ANA, openHost } from '../../../../testing/whatsapp.ts'
import { keepUnreadFields } from '../library/unread-fields.ts'
import { addressBookIn } from './address-book.ts'
import { keptOf } from './kept.ts'
import { readableEventOf } from './translate.ts'
import { UnreadKinds } from './unread-kinds.ts'

keepUnreadFields()
const REVEAL = 120
const MOST = 1_000

/** A message as it is decrypted. */
function message(id: string, second: number, size = 1): WAMessage {
  const newer = withNewerFields({}, { [REVEAL]: Buffer.alloc(size, 'x') })
  return {
    key: { remoteJid: `${ANA}@s.whatsapp.net`, fromMe: false, id },
    messageTimestamp: 1_700_000_000 + second,
    message: proto.Message.decode(proto.Message.encode(newer).finish()),
  }
}

test('of kinds that are newer than the library the newest are kept, also after a start, and what is dropped is counted', async () => {
  const host = openHost({ latencyMs: 0 })
  const open = async () => {
    const kinds = new UnreadKinds(host.keys, host.count)
    await kinds.load()
    return (one: WAMessage) => kinds.keep(one, readableEventOf(one))
  }
  for (let at = 1; at < MOST; at++) host.rows.set(`unread-kind K${at}`, keptOf(message(`K${at}`, at)))
  const keep = await open()
  await keep(message('LATER', MOST + 1))
  expect([host.rows.size, host.counted]).toEqual([MOST, []])
  await keep(message('NEW', MOST + 2))
  await (await open())(message('NEWER', MOST + 3))
  await keep(message('LARGE', MOST + 4, 40_000))
  const kept = new Set([...host.rows.keys()].map(key => key.split(' ')[1]))
  expect(kept.size).toBe(MOST)
  expect(['LATER', 'NEW', 'NEWER', 'K1', 'K2', 'K3', 'LARGE'].filter(id => kept.has(id))).toEqual([
    ...['LATER', 'NEW', 'NEWER', 'K3'],
  ])
  expect(host.counted).toEqual(['kind not kept', 'kind not kept', 'kind not kept'])
})

test('the address book of a phone names people under each of their addresses, and by no username', () => {
  const at = '2026-11-29T12:00:00.000Z'
  const phone = '5511911111111@s.whatsapp.net'
  const { entries, usernames } = addressBookIn(
    [
      { id: phone, lid: '77@lid', phoneNumber: phone, name: 'Ana Bolos' },
      { id: '88@lid', lid: '88@lid', name: 'Bia.Souza', username: 'Bia.Souza' },
      { id: '123@g.us', name: 'Grupo' },
    ],
    at,
  )
  expect(entries).toEqual([
    { kind: 'phone', value: '5511911111111', name: 'Ana Bolos', at },
    { kind: 'lid', value: '77', name: 'Ana Bolos', at },
  ])
  expect(usernames).toEqual([
    { kind: 'profile', chat: { kind: 'lid', value: '88', username: 'bia.souza' }, at },
  ])
})
