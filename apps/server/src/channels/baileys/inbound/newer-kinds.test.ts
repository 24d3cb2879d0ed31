import { withNewerFields } from '@balcao/whatsapp-server/newer-fields.ts'
import { until } from '@balcao/whatsapp-server/wait.ts'
import { proto } from 'baileys'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Scene, SHOP, setScene } from '../../../../testing/whatsapp.ts'
import { createCompletion } from './completion.ts'
import { keptOf } from './kept.ts'
import { inboundFrom } from './translate.ts'

let scene: Scene
beforeAll(async () => {
  scene = await setScene({ phoneOnline: true })
})
afterAll(() => scene.end())

const wrapped = (message: proto.IMessage) => proto.Message.FutureProofMessage.encode({ message }).finish()
const [SPOILER, POLL_V6, REVEAL, EVENT_INVITE] = [118, 119, 120, 122]

/** A customer's message, as the application receives it. */
async function received(message: proto.IMessage, options = {}) {
  const id = await scene.ana.send(SHOP, message, options)
  return until('the message', () => scene.host.messages().find(({ externalId }) => externalId === id))
}

test('a wrapper and a known type that are newer than the library are read by their number', async () => {
  const text = wrapped({ extendedTextMessage: { text: 'o final do filme' } })
  expect(await received(withNewerFields({}, { [SPOILER]: text }))).toMatchObject({
    mediaType: null,
    body: 'o final do filme',
  })
  const poll = { name: 'Que dia?', options: [{ optionName: 'Sexta' }, { optionName: 'Sábado' }] }
  const bytes = proto.Message.PollCreationMessage.encode(poll).finish()
  expect(await received(withNewerFields({}, { [POLL_V6]: bytes }))).toMatchObject({
    ...{ mediaType: 'poll', body: 'Que dia?', data: { choices: ['Sexta', 'Sábado'] } },
  })
  const disappearing = { ephemeralMessage: { message: withNewerFields({}, { [SPOILER]: text }) } }
  expect((await received(disappearing)).body).toBe('o final do filme')
})

test('an invitation to an event and a request for money of the newest types are read by the numbers inside', async () => {
  const text = (number: number, value: string) => [(number << 3) | 2, value.length, ...Buffer.from(value)]
  const start = [(5 << 3) | 0, 0xa0, 0xb6, 0xf0, 0xd1, 0x06]
  const invite = Uint8Array.from([...text(3, 'Festa'), ...start, ...text(6, 'Venha'), (7 << 3) | 0, 1])
  expect(await received(withNewerFields({}, { [EVENT_INVITE]: invite }))).toMatchObject({
    ...{ mediaType: 'event', body: 'Festa\nVenha' },
    data: { name: 'Festa', description: 'Venha', startsAt: '2026-06-24T18:00:00.000Z', isCanceled: true },
  })
  const money = [(1 << 3) | 0, 0x8c, 0x15, (2 << 3) | 0, 100, ...text(3, 'BRL')]
  const split = Uint8Array.from([(2 << 3) | 2, money.length, ...money, ...text(3, 'Bolo')])
  expect(await received(withNewerFields({}, { 125: split }))).toMatchObject({
    ...{ mediaType: 'payment', body: 'Bolo\n27 BRL', data: { what: 'request', amount: 27, currency: 'BRL' } },
  })
})

test('any other kind that is newer is a row with its number, also from a group and from the own phone', async () => {
  const invite = withNewerFields({}, { [REVEAL]: Buffer.from('x') })
  expect(await received(invite)).toMatchObject({
    ...{ mediaType: 'unknown', body: '', data: { field: REVEAL, name: 'conditionalRevealMessage' } },
  })
  expect(
    await received({ ephemeralMessage: { message: withNewerFields({}, { 9000: Buffer.from('x') }) } }),
  ).toMatchObject({
    data: { field: 9_000, name: '' },
  })
  const id = await scene.phone.send(scene.ana.number, invite)
  const own = await until('ours', () => scene.host.messages().find(({ externalId }) => externalId === id))
  expect(own).toMatchObject({ fromMe: true, mediaType: 'unknown' })
  const known = await received(
    withNewerFields({ conversation: 'com mais um campo' }, { 9000: Buffer.from('x') }),
  )
  expect(known).toMatchObject({ mediaType: null, body: 'com mais um campo' })
})

test('an edit to a kind that is newer leaves the text, and says that there was one', async () => {
  const id = await scene.ana.write(SHOP, 'quero um')
  const editedMessage = withNewerFields({}, { [REVEAL]: Buffer.from('x') })
  const type = proto.Message.ProtocolMessage.Type.MESSAGE_EDIT
  await scene.ana.send(SHOP, { protocolMessage: { type, key: { id, fromMe: true }, editedMessage } })
  const edit = await until('the edit', () => scene.host.heard.find(({ kind }) => kind === 'edit'))
  expect(edit).toMatchObject({ target: { externalId: id }, body: null })
})

test('it is kept as it came, and is read again by a version that can', async () => {
  const { host } = scene
  const { externalId } = await received(withNewerFields({}, { [REVEAL]: Buffer.from('x') }))
  const row = `unread-kind ${externalId}`
  expect(host.rows.has(row)).toBe(true)
  await scene.reopen()
  await until('the line', () => scene.session.ready())
  expect(host.heard.filter(one => one.kind === 'message' && one.isReread)).toEqual([])
  // what the field would be to a library that reads it
  const key = { remoteJid: `${scene.ana.account.lid}@lid`, fromMe: false, id: externalId }
  host.rows.set(row, keptOf({ key, messageTimestamp: 1_782_324_000, message: { conversation: 'convite' } }))
  await scene.reopen()
  const again = await until('the content', () =>
    host.messages().find(one => one.externalId === externalId && one.isReread),
  )
  expect(again.body).toBe('convite')
  await until('the end of the row', () => !host.rows.has(row))
})

test('what a newer schema finds malformed, or has nothing to show of, is left as it is, and the connection opens', async () => {
  const { host } = scene
  const kept = (type: string) => {
    // a text that is longer than what is left
    const message = Buffer.from([(1 << 3) | 2, 100]).toString('base64')
    host.rows.set(`${type} TORTA`, JSON.stringify({ key: { id: 'TORTA' }, message }))
  }
  kept('unread-kind')
  kept('sealed-edit')
  const key = { remoteJid: `${scene.ana.account.lid}@lid`, fromMe: false, id: 'VAZIA' }
  host.rows.set(
    'unread-kind VAZIA',
    keptOf({ key, messageTimestamp: 1_782_324_000, message: { bcallMessage: {} } }),
  )
  await scene.reopen()
  await until('the line', () => scene.session.ready())
  expect((await received({ conversation: 'segue' })).body).toBe('segue')
  expect(['TORTA', 'VAZIA'].map(id => host.rows.has(`unread-kind ${id}`))).toEqual([true, true])
})

test('nothing is kept of what the company does not receive: words of the owner to themselves', async () => {
  const kept = () => [...scene.host.rows.keys()].filter(key => key.startsWith('unread-kind '))
  const before = kept()
  const counted = scene.host.counted.length
  await scene.phone.send(SHOP, withNewerFields({}, { [REVEAL]: Buffer.from('x') }))
  await until('the count', () => scene.host.counted.slice(counted).includes('private to the owner'))
  expect(kept()).toEqual(before)
})

test('what a customer writes is received, also where their address is learnt as that of the own number', async () => {
  const own = { id: `${SHOP}:1@s.whatsapp.net`, lid: '', advSecretKey: '' }
  const keys = {
    ...scene.host.keys,
    read: async (_type: string, [id = '']: string[]) => new Map([[id, `"${SHOP}"`]]),
  }
  const facts = { me: () => own, groups: () => undefined, orderDetails: () => undefined }
  const completion = createCompletion(
    { keys, acceptsGroups: async () => true, sent: async () => null },
    facts,
  )
  const key = { remoteJid: '99999@lid', id: 'X1' }
  const complete = (fromMe: boolean) =>
    completion.complete(inboundFrom({ key: { ...key, fromMe }, message: { conversation: 'oi' } }), undefined)
  expect(await complete(false)).toMatchObject({ body: 'oi' })
  expect(await complete(true)).toBeNull()
})

test('a masked message says so; what WhatsApp itself announces, and what the owner writes to themselves, is none', async () => {
  expect(await received({ placeholderMessage: { type: 0 } })).toMatchObject({ mediaType: 'masked', body: '' })
  const before = scene.host.messages().length
  await scene.phone.write(SHOP, 'comprar farinha')
  await until('the count', () => scene.host.counted.includes('private to the owner'))
  expect(scene.host.messages()).toHaveLength(before)
})

test.each<[string, proto.IMessage, object]>([
  [
    'a key of Pix',
    {
      interactiveMessage: {
        nativeFlowMessage: {
          buttons: [
            {
              name: 'payment_info',
              buttonParamsJson: JSON.stringify({
                ...{ currency: 'BRL', total_amount: { value: 0, offset: 100 }, reference_id: 'A1' },
                payment_settings: [
                  {
                    type: 'pix_static_code',
                    pix_static_code: { merchant_name: 'Padaria', key: '11222333000181', key_type: 'CNPJ' },
                  },
                ],
              }),
            },
          ],
        },
      },
    },
    {
      mediaType: 'payment',
      body: 'Padaria\n11222333000181\nA1',
      data: {
        what: 'pix',
        amount: null,
        pix: { key: '11222333000181', keyType: 'CNPJ', name: 'Padaria' },
      },
    },
  ],
  [
    'an order to be paid',
    {
      interactiveMessage: {
        body: { text: 'Seu pedido' },
        nativeFlowMessage: {
          buttons: [
            {
              name: 'review_and_pay',
              buttonParamsJson: JSON.stringify({
                ...{ currency: 'BRL', total_amount: { value: 2_700, offset: 100 }, reference_id: 'A1' },
                order: {
                  status: 'pending',
                  items: [{ name: 'Bolo', quantity: 2, amount: { value: 1_350, offset: 100 } }],
                },
              }),
            },
          ],
        },
      },
    },
    {
      mediaType: 'payment',
      body: 'Seu pedido\n2 × Bolo\n27 BRL',
      data: { what: 'review', amount: 27, items: [{ name: 'Bolo', quantity: 2, price: 13.5 }] },
    },
  ],
  [
    'a request for a payment',
    {
      requestPaymentMessage: {
        ...{ currencyCodeIso4217: 'BRL', amount1000: 27_500, noteMessage: { conversation: 'Bolo' } },
      },
    },
    {
      mediaType: 'payment',
      body: 'Bolo\n27.5 BRL',
      data: { what: 'request', amount: 27.5, currency: 'BRL' },
    },
  ],
  [
    'a payment',
    { sendPaymentMessage: { requestMessageKey: { id: 'PEDIDO' } } },
    { mediaType: 'payment', data: { what: 'sent' }, quotedExternalId: 'PEDIDO' },
  ],
  [
    'a carousel',
    {
      interactiveMessage: {
        body: { text: 'Ofertas' },
        carouselMessage: {
          cards: [
            {
              body: { text: 'Bolo' },
              nativeFlowMessage: {
                buttons: [
                  { name: 'cta_copy', buttonParamsJson: '{"display_text":"Copiar","copy_code":"B10"}' },
                ],
              },
            },
            { header: { title: 'Torta' }, body: { text: 'de limão' } },
          ],
        },
      },
    },
    { body: 'Ofertas\n\nBolo\n\nTorta\nde limão', data: { choices: ['Copiar: B10'] } },
  ],
  [
    'a list of an interactive message',
    {
      interactiveMessage: {
        body: { text: 'Menu' },
        nativeFlowMessage: {
          buttons: [
            {
              name: 'single_select',
              buttonParamsJson: JSON.stringify({
                title: 'Ver',
                sections: [{ rows: [{ title: 'Bolo' }, { title: 'Torta' }, null] }],
              }),
            },
          ],
        },
      },
    },
    { body: 'Menu', data: { choices: ['Ver', 'Bolo', 'Torta'] } },
  ],
  [
    'a template that is interactive',
    { templateMessage: { interactiveMessageTemplate: { body: { text: 'Confirma?' } } } },
    { mediaType: null, body: 'Confirma?' },
  ],
  [
    'a template whose texts the phone fills in',
    {
      templateMessage: {
        fourRowTemplate: {
          content: { elementName: 'aviso', params: ['Ana', 'amanhã'] },
          buttons: [{ quickReplyButton: { displayText: { elementName: 'sim' }, id: '1' } }],
        },
      },
    },
    { mediaType: null, body: 'Ana\namanhã', data: { choices: ['sim'] } },
  ],
  [
    'a button without a text',
    { buttonsResponseMessage: { selectedButtonId: 'opcao-2' } },
    { mediaType: null, body: 'opcao-2' },
  ],
  [
    'an interactive message with nothing that can be read',
    { interactiveMessage: { nativeFlowMessage: { buttons: [{ name: 'x', buttonParamsJson: '{' }] } } },
    { mediaType: 'interactiveMessage', body: '' },
  ],
])('%s is readable', async (_, message, expected) => {
  expect(await received(message)).toMatchObject(expected)
})
