import { tickets } from '@balcao/contract/tickets.ts'
import { proto } from 'baileys'
import { afterAll, beforeAll, test } from 'vitest'
import { openShop } from '../../../testing/baileys.ts'
import { strangeOnes } from '../../../testing/strange.ts'
import { type Person, until } from '../../../testing/test-app.ts'
import { draws, SHOP } from '../../../testing/whatsapp.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'

let shop: Awaited<ReturnType<typeof openShop>>
let admin: Person
beforeAll(async () => {
  shop = await openShop()
  admin = await shop.app.as('admin@balcao.test')
})
afterAll(() => shop.close())

/** Random, so that no index can compress it. */
const letters = (() => {
  const random = draws(1)
  return (length: number) =>
    Array.from({ length }, () => Math.floor(random() * 36).toString(36))
      .join('')
      .toUpperCase()
})()
const { Type } = proto.Message.ProtocolMessage

const BAD: [string, () => string][] = [
  ['8,000 characters', () => letters(8_000)],
  ['NUL', () => 'A\0B'],
  ['8,000 letters beyond ASCII', () => '漢字ß€'.repeat(2_000)],
]
const naming: [string, (id: string) => proto.IMessage][] = [
  ['a reaction', id => ({ reactionMessage: { key: { id, fromMe: true }, text: '👍' } })],
  ['a deletion', id => ({ protocolMessage: { type: Type.REVOKE, key: { id } } })],
  [
    'an edit',
    id => ({
      protocolMessage: { type: Type.MESSAGE_EDIT, key: { id }, editedMessage: { conversation: 'outro' } },
    }),
  ],
  [
    'a quote',
    id => ({ extendedTextMessage: { text: 'sim', contextInfo: { stanzaId: id, participant: `${id}@lid` } } }),
  ],
  [
    'a vote',
    id => ({
      pollUpdateMessage: {
        pollCreationMessageKey: { id },
        vote: { encPayload: Buffer.alloc(40, 1), encIv: Buffer.alloc(12, 1) },
      },
    }),
  ],
  ['a pin', id => ({ pinInChatMessage: { key: { id }, type: 1 } })],
  [
    'a mention',
    id => ({ extendedTextMessage: { text: `@${id}`, contextInfo: { mentionedJid: [`${id}@lid`] } } }),
  ],
  [
    'a part of an album',
    id => ({
      conversation: 'x',
      messageContextInfo: { messageAssociation: { associationType: 1, parentMessageKey: { id } } },
    }),
  ],
]

test.each(naming)('%s that names an id that no column takes holds nobody up', async (kind, make) => {
  const bia = await shop.phoneOf('5511944440001')
  for (const [, id] of BAD) await bia.send(SHOP, make(id()))
  await arrives(`depois de ${kind}`)
})

const SEED = Number(process.env.SOAK_SEED ?? 7)

test(`thirty messages drawn at random (seed ${SEED}) hold nobody up, and all are recorded`, async () => {
  const bia = await shop.phoneOf('5511944440001')
  const strange = strangeOnes(SEED)
  for (let sent = 0; sent < 30; sent++) {
    const message = strange.message()
    if (message) await bia.send(SHOP, message)
  }
  await arrives('depois de tudo')
  // what was decrypted is kept as a key row until it is recorded and its receipt confirmed
  await until(async () => {
    const platform = shop.app.platform.scopes.platform()
    const [row] = await platform.transaction(sql =>
      rowsFrom<{ n: number }>(
        sql,
        tag`select count(*)::int as n from whatsapp_keys where type = 'inbox-journal'`,
      ),
    )
    return row!.n === 0
    // what the library drops before it becomes a message is found a minute later (`addLeftovers`)
  }, 90_000)
})

/** A message of another person is shown within its time. */
async function arrives(text: string) {
  const eva = await shop.phoneOf('5511944440002')
  await eva.write(SHOP, text)
  await until(async () => {
    const page = await admin.get(tickets.list, { query: { status: 'pending', showAll: true } })
    return page.tickets.some(one => one.contact.number === '5511944440002' && one.lastMessage === text)
  }, 10_000)
}
