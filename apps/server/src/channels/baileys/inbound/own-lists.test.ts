import { proto, type WAMessage } from 'baileys'
import pino from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type MemoryHost, openHost, SHOP } from '../../../../testing/whatsapp.ts'
import type { InboundEvent } from '../../../driver.ts'
import { openJournal } from '../keys/journal.ts'
import { readSource } from '../media/sources.ts'
import { Intake } from './intake.ts'
import { openReader, type Reader } from './reading.ts'

const log = pino({ level: 'silent' })
const LIST = '1700@broadcast'
const OWN = '990001@lid'
const at = Math.floor(Date.now() / 1_000)

let host: MemoryHost
let reader: Reader
let intake: Intake
/** How many events each commit has. */
let commits: number[]

beforeEach(async () => {
  commits = []
  host = openHost({ latencyMs: 0 })
  const { receive } = host
  host.receive = async events => {
    commits.push(events.length)
    await receive(events)
  }
  reader = await openReader(host, log)
  intake = new Intake({
    ...{ host, journal: await openJournal(host.keys), reader, log, onLost() {} },
    past: { waits: () => false, claim: () => false },
    facts: { groups: () => undefined, orderDetails: () => undefined },
  })
  intake.addLeftovers({ me: { id: `${SHOP}@s.whatsapp.net`, lid: OWN }, advSecretKey: '' })
})
afterEach(() => intake.stop())

/** What is received of a message that the phone sends to its list. */
async function heard(message: Partial<WAMessage>, to: string[]): Promise<InboundEvent[]> {
  const key = { remoteJid: LIST, fromMe: false, participant: OWN, id: 'LIST1' }
  const userReceipt = to.map(userJid => ({ userJid }))
  intake.addMessage({ key, messageTimestamp: at, userReceipt, ...message }, [])
  await intake.settled()
  return host.heard
}

const MESSAGE_EDIT = proto.Message.ProtocolMessage.Type.MESSAGE_EDIT
const editOf = (id: string, content: proto.IMessage): proto.IMessage => ({
  protocolMessage: { type: MESSAGE_EDIT, key: { remoteJid: LIST, id }, editedMessage: content },
})

test('an edit of a list names the copy of each recipient, and says that it is of a list', async () => {
  const key = { remoteJid: LIST, fromMe: true, id: 'EDIT1' }
  const message = editOf('LIST1', { conversation: 'Fechado' })
  const [edit, ...others] = await heard({ key, message }, ['771@lid'])
  expect(others).toEqual([])
  expect(edit).toMatchObject({ kind: 'edit', isToList: true, body: 'Fechado', externalId: 'EDIT1' })
  expect(edit).toMatchObject({ target: { externalId: 'LIST1 771', fromMe: true } })
})

test('the id of a copy is the same by whatever address its recipient is named', async () => {
  const value = JSON.stringify('772')
  await host.keys.write([{ type: 'lid-mapping', id: '5511922222222', value }])
  const to = ['5511922222222@s.whatsapp.net', '772@lid', '5511933333333@s.whatsapp.net']
  await heard({ message: { conversation: 'Aberto' } }, to)
  const ids = host.messages().map(({ externalId }) => externalId)
  expect(ids).toEqual(['LIST1 772', 'LIST1 772', 'LIST1 5511933333333'])
})

test('the phone is asked for the file of a list by the key of its message', async () => {
  const imageMessage = { url: 'https://mmg.whatsapp.net/1', mediaKey: Buffer.alloc(32, 1) }
  await heard({ message: { imageMessage } }, ['771@lid', '772@lid'])
  const keys = host.messages().map(({ file }) => readSource(file!.source))
  const key = { remoteJid: LIST, id: 'LIST1', fromMe: true }
  expect(keys).toEqual([expect.objectContaining({ key }), expect.objectContaining({ key })])
})

test('what goes to many recipients is recorded in several commits', async () => {
  const to = Array.from({ length: 256 }, (_, at) => `${800 + at}@lid`)
  expect(await heard({ message: { conversation: 'Aberto' } }, to)).toHaveLength(256)
  expect(Math.max(...commits)).toBe(50)
})

test('what cannot be read in an own list is nothing: no placeholder, also after a start', async () => {
  const messageStubType = proto.WebMessageInfo.StubType.CIPHERTEXT
  await heard({ messageStubType }, ['771@lid'])
  const sealed = { encPayload: Buffer.alloc(40), encIv: Buffer.alloc(12), targetMessageKey: { id: 'LIST1' } }
  const secretEncType = proto.Message.SecretEncryptedMessage.SecretEncType.MESSAGE_EDIT
  await heard({ message: { secretEncryptedMessage: { ...sealed, secretEncType } } }, ['771@lid'])
  const attrs = { from: LIST, participant: OWN, id: 'LIST2', t: `${at}` }
  const stanza = {
    tag: 'message',
    attrs,
    content: [{ tag: 'unavailable', attrs: { type: 'hosted_unavailable_fanout' } }],
  }
  await reader.placeholders.note(stanza)
  expect(reader.placeholders.passedOver(stanza)).toBeNull()
  const next = await openReader(host, log)
  expect(next.unrecorded()).toEqual([])
  expect(host.heard).toEqual([])
})
