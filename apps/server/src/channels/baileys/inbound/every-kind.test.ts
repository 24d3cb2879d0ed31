import { withNewerFields } from '@balcao/whatsapp-server/newer-fields.ts'
import { until } from '@balcao/whatsapp-server/wait.ts'
import { proto } from 'baileys'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ANA, openHost, type Scene, SHOP, setScene } from '../../../../testing/whatsapp.ts'
import type { OldMessage } from '../../../driver.ts'
import { createBaileysDriver } from '../index.ts'
import { MESSAGE_FIELDS } from '../library/message-fields.ts'
import { keepUnreadFields, libraryFields } from '../library/unread-fields.ts'
import { kindIn } from './kinds/index.ts'
import type { Field } from './kinds/kind.ts'
import { BESIDE, SILENCES } from './kinds/silences.ts'
import { olderOf, SILENT_NEWER } from './kinds/unread.ts'

keepUnreadFields()
const library = libraryFields()
const types = new Map(MESSAGE_FIELDS.map(([, name, type]) => [name, type]))
const newer = MESSAGE_FIELDS.filter(([number]) => !library.has(number))
const UNNAMED = [127, 500, 15_000]
const inside = { message: { conversation: 'dentro' } }
const key = { remoteJid: '1@s.whatsapp.net', fromMe: false, id: 'DE-OUTRA' }

/** What stands in a field so that it means something; by default its type alone. */
const CONTENTS: Record<string, unknown> = {
  conversation: 'texto',
  extendedTextMessage: { text: 'texto' },
  reactionMessage: { key, text: '👍' },
  protocolMessage: { key, type: proto.Message.ProtocolMessage.Type.REVOKE },
  pinInChatMessage: { key, type: 1 },
  pollUpdateMessage: {
    pollCreationMessageKey: key,
    vote: { encPayload: Buffer.alloc(40), encIv: Buffer.alloc(12) },
  },
  orderMessage: { orderTitle: 'Bolo' },
  callLogMesssage: { callOutcome: 0, durationSecs: 61 },
}

const sampleOf = (name: string): proto.IMessage => ({
  [name]: CONTENTS[name] ?? (types.get(name) === 'FutureProofMessage' ? inside : {}),
})

const pollOf = () => proto.Message.PollCreationMessage.encode({ name: 'Qual?' }).finish()

/** One message with each field of the schema, each newer one, and each without a name. */
const samples: { name: string; message: proto.IMessage }[] = [
  ...[...library.values()].map(name => ({ name, message: sampleOf(name) })),
  ...newer.map(([number, name, type]) => {
    const wrapped = proto.Message.FutureProofMessage.encode(inside).finish()
    const bytes =
      type === 'FutureProofMessage' ? wrapped : type === 'PollCreationMessage' ? pollOf() : Buffer.alloc(0)
    return { name: `${number} ${name}`, message: withNewerFields({}, { [number]: bytes }) }
  }),
  ...UNNAMED.map(number => ({
    name: `${number}`,
    message: withNewerFields({}, { [number]: Buffer.from('novo') }),
  })),
]

/** The trace that a field has by its table: the kind of a row or of an event, or the reason of a silence. */
function expected(name: string): string {
  if (UNNAMED.includes(Number(name))) return 'row of unknown'
  const added = newer.find(one => `${one[0]} ${one[1]}` === name)
  if (added) return expectedOfNewer(...added)
  if (types.get(name) === 'FutureProofMessage') return 'row of text'
  if (BESIDE.has(name)) return 'silence: without a content'
  const other = { reactionMessage: 'reaction', protocolMessage: 'delete', pollUpdateMessage: 'strange' }
  if (name in other) return other[name as keyof typeof other]
  const field = name as Field
  if (SILENCES[field]) return `silence: ${SILENCES[field]}`
  const read = kindIn(field)?.read(CONTENTS[name] ?? {}) ?? {}
  return `row of ${read.mediaType ?? (read.body || read.data ? 'text' : name)}`
}

function expectedOfNewer(number: number, name: string, type: string): string {
  if (SILENT_NEWER.has(name)) return 'silence: without a content'
  if (type === 'FutureProofMessage') return 'row of text'
  if (type === 'PollCreationMessage') return 'row of poll'
  const older = olderOf(number, type)
  return older ? `row of ${older}` : 'row of unknown'
}

let scene: Scene
beforeAll(async () => {
  scene = await setScene()
})
afterAll(() => scene.end())

test('each field of a message leaves exactly one trace: a row, what it does to another, or a counted reason', async () => {
  const { ana, host } = scene
  await ana.write(SHOP, 'primeira')
  await until('the first message', () => host.messages().length > 0)
  const traces = () => [
    ...host.heard.flatMap(one =>
      one.kind === 'message'
        ? `row of ${one.mediaType ?? 'text'}`
        : BESIDES.includes(one.kind)
          ? []
          : one.kind,
    ),
    ...host.counted.map(why => `silence: ${why}`),
  ]
  const begun = traces()
  const found: [string, string][] = []
  for (const { name, message } of samples) {
    const before = traces()
    await ana.send(SHOP, message)
    const after = await until(name, () => (traces().length > before.length ? traces() : null))
    const left = [...after]
    for (const one of before) left.splice(left.indexOf(one), 1)
    found.push([name, left.join(' and ')])
  }
  expect(found).toEqual(samples.map(({ name }) => [name, expected(name)]))
  await ana.write(SHOP, 'última')
  await until('the last message', () => host.messages().some(({ body }) => body === 'última'))
  const all = [...begun, ...found.map(([, trace]) => trace), 'row of text']
  expect(traces().sort()).toEqual(all.sort())
}, 60_000)

/** What comes beside messages. */
const BESIDES = ['profile', 'identity', 'ack', 'read']

test('and so does each that a history brings', async () => {
  const { server } = scene
  const past = openHost()
  const staged: OldMessage[] = []
  let isWhole = false
  Object.assign(past, {
    history: async () => ({ from: new Date(0).toISOString(), until: new Date().toISOString(), groups: true }),
    async stage(old: OldMessage[], isLast: boolean) {
      staged.push(...structuredClone(old))
      isWhole ||= isLast
    },
  })
  const other = await server.addPhone('5511900000009', { name: 'Outra loja' })
  const settings = { webUrl: server.url, version: null, log: pino({ level: 'silent' }), historyQuietMs: 500 }
  const session = await createBaileysDriver(settings).open(past)
  const chat = `${ANA}@s.whatsapp.net`
  const messages = samples.map(({ name, message }, at) => ({
    message: {
      key: { remoteJid: chat, fromMe: false, id: `PAST-${name}` },
      message,
      messageTimestamp: Math.floor(Date.now() / 1_000) - 1_000 + at,
    },
  }))
  const chunk = {
    syncType: proto.HistorySync.HistorySyncType.RECENT,
    ...{ chunkOrder: 1, progress: 100, conversations: [{ id: chat, messages }] },
  }
  await other.scan(await until('a QR code', () => past.state.qrcode || null), { history: [chunk] })
  await until('the end of the past', () => isWhole)
  const rows = new Map(staged.map(one => [one.externalId.slice(5), `row of ${one.mediaType ?? 'text'}`]))
  const silent = samples.filter(({ name }) => !rows.has(name))
  expect(staged).toHaveLength(rows.size)
  expect(past.counted).toHaveLength(silent.length)
  // in a history nothing else reports a call
  const expectedThen = (name: string) => (name === 'callLogMesssage' ? 'row of call_log' : expected(name))
  for (const { name } of samples)
    if (rows.has(name)) expect([name, rows.get(name)]).toEqual([name, expectedThen(name)])
    else expect([name, expected(name)]).toEqual([name, expect.not.stringMatching(/^row/)])
  await session.close({ logout: false })
}, 60_000)
