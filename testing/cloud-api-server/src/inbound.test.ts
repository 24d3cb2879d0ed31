import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ChatMessage } from './customer-says.ts'
import { type SampleType, samples } from './samples.ts'
import { ANA, type Scene, setScene } from './scene.ts'

let scene: Scene

beforeEach(async () => {
  scene = await setScene()
})

afterEach(() => scene.end())

/** The last message as the company receives it, without the common fields. */
async function heard() {
  await scene.server.settled()
  const {
    id: _,
    timestamp: __,
    from: ___,
    from_user_id: ____,
    ...message
  } = scene.receiver.messages().at(-1)!
  return message
}

test('a text comes with its sender, by number and by user id', async () => {
  const { server, receiver, ana } = scene
  const [entry] = receiver.taken[0]!.body.entry
  const { number } = server
  expect(ana.userId()).toMatch(/^BR\.\d{10,20}$/)
  expect(entry).toEqual({
    id: server.account.id,
    changes: [
      {
        field: 'messages',
        value: {
          messaging_product: 'whatsapp',
          metadata: { display_phone_number: number.digits, phone_number_id: number.id },
          contacts: [{ profile: { name: 'Ana' }, wa_id: ANA, user_id: ana.userId() }],
          messages: [
            {
              from: ANA,
              from_user_id: ana.userId(),
              id: ana.wrote[0]!.id,
              timestamp: `${server.clock.seconds()}`,
              type: 'text',
              text: { body: 'Oi' },
            },
          ],
        },
      },
    ],
  })
})

describe('every kind', () => {
  const file = (mime: SampleType) => ({ bytes: samples[mime], mime })

  test.each<[string, ChatMessage, object]>([
    ['image', { image: { ...file('image/jpeg'), caption: 'Bolo' } }, { caption: 'Bolo' }],
    ['video', { video: file('video/mp4') }, {}],
    ['audio', { audio: { ...file('audio/ogg; codecs=opus'), voice: true } }, { voice: true }],
    [
      'document',
      { document: { ...file('application/pdf'), filename: 'pedido.pdf' } },
      { filename: 'pedido.pdf' },
    ],
    ['sticker', { sticker: { ...file('image/webp'), animated: false } }, { animated: false }],
  ])('%s', async (kind, content, more) => {
    scene.ana.says(content)
    const [id, sha256, url] = [expect.stringMatching(/^\d+$/), expect.any(String), expect.any(String)]
    expect(await heard()).toEqual({
      type: kind,
      [kind]: { id, mime_type: Object.values(content)[0].mime, sha256, url, ...more },
    })
  })

  test('location, contacts, order, form', async () => {
    const { ana } = scene
    const location = { latitude: -23.55, longitude: -46.63, name: 'Casa' }
    ana.says({ location })
    expect(await heard()).toEqual({ type: 'location', location })
    const contacts = [{ name: { formatted_name: 'Bia' }, phones: [{ phone: '+55 11', wa_id: '5511' }] }]
    ana.says({ contacts })
    expect(await heard()).toEqual({ type: 'contacts', contacts })
    const order = {
      catalog_id: '1',
      product_items: [{ product_retailer_id: 'sonho', quantity: 2, item_price: 8, currency: 'BRL' }],
    }
    ana.says({ order })
    expect(await heard()).toEqual({ type: 'order', order })
    ana.says({ form: { nome: 'Ana' } })
    expect(await heard()).toEqual({
      type: 'interactive',
      interactive: {
        type: 'nfm_reply',
        nfm_reply: { name: 'flow', body: 'Sent', response_json: '{"nome":"Ana"}' },
      },
    })
  })

  test('a reaction, one with no emoji, and one that names none', async () => {
    const { ana, say } = scene
    const id = await say('Pronto')
    ana.reacts(id, '👍')
    expect(await heard()).toEqual({ type: 'reaction', reaction: { message_id: id, emoji: '👍' } })
    ana.reacts(id, '')
    expect(await heard()).toEqual({ type: 'reaction', reaction: { message_id: id, emoji: '' } })
    ana.says({ reaction: { to: id } })
    expect(await heard()).toEqual({ type: 'reaction', reaction: { message_id: id } })
  })

  test('a quote, something forwarded, the click on an ad', async () => {
    const { ana, server, say } = scene
    const id = await say('Temos')
    ana.says('Quero', { quotes: id })
    expect(await heard()).toMatchObject({ context: { from: server.number.digits, id } })
    ana.says('Olha', { forwarded: true })
    expect(await heard()).toMatchObject({ context: { forwarded: true } })
    ana.says('Corrente', { forwarded: 'often' })
    expect(await heard()).toMatchObject({ context: { frequently_forwarded: true } })
    const referral = {
      source_url: 'https://fb.me/x',
      source_type: 'ad' as const,
      source_id: '1',
      headline: 'Pão',
      body: 'Quentinho',
      ctwa_clid: 'c',
    }
    expect(() => ana.says('Sem fonte', { referral: { ...referral, source_url: '' } })).toThrow()
    ana.says('Vi o anúncio', { referral })
    expect(await heard()).toMatchObject({ referral })
    const product = { catalog_id: '7', product_retailer_id: 'sonho' }
    ana.says('Tem deste?', { product })
    expect(await heard()).toMatchObject({ context: { referred_product: product } })
    await say('Bem-vinda')
    expect(scene.receiver.statuses().at(-2)).toMatchObject({
      status: 'sent',
      conversation: {
        id: expect.any(String),
        expiration_timestamp: expect.any(String),
        origin: { type: 'referral_conversion' },
      },
      pricing: { billable: false, type: 'free_entry_point', category: 'referral_conversion' },
    })
  })

  test('what Cloud API does not bring, what it could not fetch, what it could not read, and what nobody knows', async () => {
    const { ana } = scene
    ana.says({ unsupported: {} })
    const title = 'Message type unknown'
    const details = 'Message type is currently not supported.'
    const unknown = {
      type: 'unsupported',
      errors: [{ code: 131051, title, message: title, error_data: { details } }],
    }
    expect(await heard()).toEqual(unknown)
    ana.says({ unsupported: { code: 131052, details: 'Media file size too big.' } })
    expect(await heard()).toMatchObject({ errors: [{ code: 131052, title: 'Media download error' }] })
    ana.says({ unsupported: { code: 131060, type: 'media_placeholder' } })
    expect(await heard()).toMatchObject({
      errors: [{ code: 131060, title: 'This message is currently unavailable.' }],
      unsupported: { type: 'media_placeholder' },
    })
    ana.says({ unreadable: true })
    expect(await heard()).toEqual({ type: 'interactive' })
    ana.says({ raw: { type: 'poll_update', poll_update: { votes: 3 } } })
    expect(await heard()).toEqual({ type: 'poll_update', poll_update: { votes: 3 } })
  })

  test('edits and deletions, as such to a number of the Business app, and as unsupported to others', async () => {
    const { ana, server } = scene
    const text = ana.says('Dois pães')
    const image = ana.says({ image: { bytes: samples['image/png'], mime: 'image/png', caption: 'Este' } })
    ana.edits(text, 'Três pães')
    expect(await heard()).toMatchObject({ type: 'unsupported', errors: [{ code: 131051 }] })
    ana.revokes(text)
    expect(await heard()).toMatchObject({ type: 'unsupported' })
    server.number.coexistence = true
    ana.edits(text, 'Três pães')
    expect(await heard()).toEqual({
      type: 'edit',
      edit: { original_message_id: text, message: { type: 'text', text: { body: 'Três pães' } } },
    })
    ana.edits(image, 'Aquele')
    expect(await heard()).toMatchObject({
      edit: {
        original_message_id: image,
        message: { type: 'image', image: { caption: 'Aquele', mime_type: 'image/png' } },
      },
    })
    ana.revokes(image)
    expect(await heard()).toEqual({ type: 'revoke', revoke: { original_message_id: image } })
  })
})

describe('identity', () => {
  test('a person with a username and a hidden number is known by user id alone, and answered by it', async () => {
    const { server, receiver, graph } = scene
    const eva = server.addCustomer('5521933333333', { name: 'Eva', username: 'eva.luz', showsNumber: false })
    eva.says('Oi')
    await server.settled()
    const value = receiver.values('messages').at(-1)!
    expect(value.contacts).toEqual([{ profile: { name: 'Eva', username: 'eva.luz' }, user_id: eva.userId() }])
    expect(value.messages![0]).not.toHaveProperty('from')
    expect(JSON.stringify(value)).not.toContain('5521933333333')
    const to = { messaging_product: 'whatsapp', recipient: eva.userId() }
    const { body } = await graph('POST', `/${server.number.id}/messages`, { ...to, text: { body: 'Olá' } })
    expect(body.contacts).toEqual([{ input: eva.userId(), user_id: eva.userId() }])
    expect(eva.received()).toMatchObject([{ text: 'Olá' }])
    const [sent, delivered] = receiver.values('messages').slice(-2)
    expect(sent!.contacts).toEqual([{ profile: { name: 'Eva' }, user_id: eva.userId() }])
    expect(delivered!.contacts).toMatchObject([{ profile: { username: 'eva.luz' } }])
    expect(delivered!.statuses![0]).toMatchObject({ recipient_user_id: eva.userId() })
    expect(delivered!.statuses![0]).not.toHaveProperty('recipient_id')
  })

  test('the number wins where both are named; a user id of another portfolio reaches nobody', async () => {
    const { server, ana, send, receiver } = scene
    const other = server.addApp().addAccount().addNumber('551130000009')
    expect(ana.userId(other)).not.toBe(ana.userId())
    const both = await send({ recipient: ana.userId(), text: { body: 'Oi' } })
    expect(both.body.contacts).toEqual([{ input: ANA, wa_id: ANA }])
    await send({ to: undefined, recipient: ana.userId(other), text: { body: 'Oi' } })
    expect(receiver.statuses().at(-1)).toMatchObject({ status: 'failed', errors: [{ code: 131026 }] })
  })

  test('a group of portfolios is told parent user ids as well', async () => {
    await scene.end()
    scene = await setScene({ account: { parentUserIds: true } })
    const { ana, receiver, say, server } = scene
    const parent = ana.parentUserId(server.number)
    expect(parent).toMatch(/^BR\.ENT\.\d+$/)
    expect(receiver.messages()[0]).toMatchObject({ from_parent_user_id: parent })
    await say('Oi')
    expect(receiver.statuses()[0]).toMatchObject({ recipient_parent_user_id: parent })
    expect(receiver.values('messages').at(-1)).toMatchObject({ contacts: [{ parent_user_id: parent }] })
  })

  test('a new number is told by the system, with the user ids of before and after', async () => {
    const { ana, receiver, server, send } = scene
    const before = ana.userId()
    ana.changesNumber('5521988888888')
    await server.settled()
    expect(receiver.messages().at(-1)).toMatchObject({
      from: ANA,
      type: 'system',
      system: {
        body: `User Ana changed from ${ANA} to 5521988888888`,
        wa_id: '5521988888888',
        user_id: ana.userId(),
        type: 'user_changed_number',
      },
    })
    expect(receiver.values('user_id_update')).toMatchObject([
      { user_id_update: [{ user_id: { previous: before, current: ana.userId() } }] },
    ])
    expect((await send({ text: { body: 'Oi' } })).status).toBe(200)
    expect(receiver.statuses().at(-1)).toMatchObject({ errors: [{ code: 131026 }] })
  })

  test('the new number of a person who hides it stays hidden', async () => {
    const { server, receiver } = scene
    const eva = server.addCustomer('5521933333333', { name: 'Eva', showsNumber: false })
    eva.says('Oi')
    const before = eva.userId()
    eva.changesNumber('5521944444444')
    await server.settled()
    const body = `User Eva changed from ${before} to ${eva.userId()}`
    const system = { body, user_id: eva.userId(), type: 'user_changed_user_id' }
    expect(await heard()).toEqual({ type: 'system', system })
    const ids = receiver
      .messages()
      .slice(1)
      .map(({ id }) => Buffer.from(id.slice('wamid.'.length), 'base64').toString())
    expect(receiver.taken.map(({ raw }) => raw).join() + ids.join()).not.toMatch(/55219[34]/)
  })
})

test('Meta warns about the account, and restricts it', async () => {
  const { server, receiver } = scene
  server.account.alert('INCREASED_CAPABILITIES_ELIGIBILITY_DEFERRED', 'Limits cannot be increased.')
  const restriction_info = [
    { restriction_type: 'RESTRICTED_BIZ_INITIATED_MESSAGING', expiration: 1795262400 },
  ]
  server.account.update('ACCOUNT_RESTRICTION', { restriction_info })
  await server.settled()
  expect(receiver.values('account_alerts')).toEqual([
    {
      entity_type: 'BUSINESS',
      entity_id: server.account.portfolio,
      alert_info: {
        alert_severity: 'WARNING',
        alert_status: 'ACTIVE',
        alert_type: 'INCREASED_CAPABILITIES_ELIGIBILITY_DEFERRED',
        alert_description: 'Limits cannot be increased.',
      },
    },
  ])
  expect(receiver.values('account_update')).toEqual([{ event: 'ACCOUNT_RESTRICTION', restriction_info }])
  expect(receiver.taken.at(-1)!.body.entry[0]!.time).toBe(server.clock.seconds())
})
