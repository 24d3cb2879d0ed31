import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { samples } from './samples.ts'
import { ANA, formOf, type Scene, setScene } from './scene.ts'

let scene: Scene

beforeEach(async () => {
  scene = await setScene()
})

afterEach(() => scene.end())

const letters = (count: number) => 'a'.repeat(count)
const button = (id: string, title: string) => ({ type: 'reply', reply: { id, title } })
const buttons = (...list: object[]) => ({
  type: 'interactive',
  interactive: { type: 'button', body: { text: 'Oi' }, action: { buttons: list } },
})
const rows = (count: number, begin = 0) =>
  Array.from({ length: count }, (_, at) => ({ id: `${begin + at}`, title: `Linha ${begin + at}` }))
const list = (...sections: object[]) => ({
  type: 'interactive',
  interactive: { type: 'list', body: { text: 'Oi' }, action: { button: 'Ver', sections } },
})

describe('refused at once, in the shape of Graph', () => {
  test.each<[string, object, string]>([
    [
      'nothing says whom for',
      { messaging_product: undefined },
      'The parameter messaging_product is required.',
    ],
    [
      'another product',
      { messaging_product: 'sms' },
      'Param messaging_product must be one of {WHATSAPP} - got "sms".',
    ],
    ['nobody to send to', { to: undefined }, 'The parameter to is required.'],
    [
      'a kind there is not',
      { type: 'poll' },
      'Param type must be one of {TEXT, IMAGE, VIDEO, AUDIO, DOCUMENT, STICKER, LOCATION, CONTACTS, REACTION, INTERACTIVE, TEMPLATE} - got "poll".',
    ],
    ['no text', { text: undefined }, 'The parameter text is required.'],
    ['a text that is none', { text: 'Oi' }, 'Param text must be a JSON object.'],
    ['an empty text', { text: { body: '' } }, "Param text['body'] must be at least 1 characters long."],
    [
      'a text too long',
      { text: { body: letters(4097) } },
      "Param text['body'] must be at most 4096 characters long.",
    ],
    ['a name that is not known', { text: { body: 'Oi', mood: 1 } }, 'Unexpected key "mood" on param "text".'],
    [
      'a preview that is no yes or no',
      { text: { body: 'Oi', preview_url: 'yes' } },
      "Param text['preview_url'] must be a boolean.",
    ],
    [
      'callback data too long',
      { biz_opaque_callback_data: letters(513) },
      'Param biz_opaque_callback_data must be at most 512 characters long.',
    ],
    [
      'a file that was never uploaded',
      { type: 'image', image: { id: '1' } },
      "Param image['id'] is not a valid whatsapp business account media attachment ID",
    ],
    [
      'a caption too long',
      { type: 'image', image: { id: '1', caption: letters(1025) } },
      "Param image['caption'] must be at most 1024 characters long.",
    ],
    [
      'a caption to a voice',
      { type: 'audio', audio: { id: '1', caption: 'Oi' } },
      'Unexpected key "caption" on param "audio".',
    ],
    ['a link that is none', { type: 'image', image: { link: 'foto' } }, "Param image['link'] is not valid."],
    [
      'no place',
      { type: 'location', location: { latitude: 1 } },
      "The parameter location['longitude'] is required.",
    ],
    [
      'a place off the earth',
      { type: 'location', location: { latitude: 91, longitude: 0 } },
      "Param location['latitude'] must be at most 90 in value.",
    ],
    ['no contact', { type: 'contacts', contacts: [] }, 'Param contacts must be at least 1 elements long.'],
    [
      'a reaction of words',
      { type: 'reaction', reaction: { message_id: 'wamid.x', emoji: 'ok' } },
      "Param reaction['emoji'] is not valid.",
    ],
    [
      'no template name',
      { type: 'template', template: { language: { code: 'pt_BR' } } },
      "The parameter template['name'] is required.",
    ],
  ])('%s', async (_, message, complaint) => {
    const { status, body } = await scene.send({ type: 'text', text: { body: 'Oi' }, ...message })
    expect(body).toEqual({
      error: {
        message: `(#100) ${complaint}`,
        type: 'OAuthException',
        code: 100,
        fbtrace_id: expect.any(String),
      },
    })
    expect(status).toBe(400)
    expect(scene.ana.received()).toEqual([])
  })

  test.each<[string, object, number, string]>([
    [
      'a number that is none',
      { to: 'Ana' },
      131009,
      'The phone number is malformed: Please use the format: +1234567890.',
    ],
    ['a user id that is none', { to: undefined, recipient: 'ana' }, 131009, 'The recipient is no user id'],
    ['itself', { to: '551130000001' }, 131021, 'Sender and recipient phone number is the same.'],
    [
      'a quote of no message',
      { context: { message_id: '17' } },
      131009,
      'context.message_id is no id of a message',
    ],
    [
      'a file and a link',
      { type: 'image', image: { id: '1', link: 'https://a.test/b' } },
      131009,
      "There must be exactly one of 'id' and 'link'",
    ],
    [
      'neither file nor link',
      { type: 'image', image: {} },
      131009,
      "There must be exactly one of 'id' and 'link'",
    ],
    [
      'a contact with nothing but a whole name',
      { type: 'contacts', contacts: [{ name: { formatted_name: 'Bia' } }] },
      131008,
      'At least one of the optional name fields must be there beside formatted_name',
    ],
    ['no button', buttons(), 131009, 'Invalid buttons count. Min allowed buttons: 1, Max allowed buttons: 3'],
    [
      'four buttons',
      buttons(...['a', 'b', 'c', 'd'].map(id => button(id, id))),
      131009,
      'Invalid buttons count. Min allowed buttons: 1, Max allowed buttons: 3',
    ],
    [
      'a button too long',
      buttons(button('a', letters(21))),
      131009,
      'Button title length invalid. Min length: 1, Max length: 20',
    ],
    [
      'two buttons of one id',
      buttons(button('a', 'Sim'), button('a', 'Não')),
      131009,
      'Duplicated button ids',
    ],
    [
      'eleven rows',
      list({ title: 'A', rows: rows(6) }, { title: 'B', rows: rows(5, 6) }),
      131009,
      'Total row count exceed max allowed count: 10',
    ],
    [
      'a row too long',
      list({ rows: [{ id: '1', title: letters(25) }] }),
      131009,
      'Row title length invalid. Min length: 1, Max length: 24',
    ],
    [
      'sections without titles',
      list({ rows: rows(1) }, { rows: rows(1, 1) }),
      131009,
      'Section title is required',
    ],
  ])('%s', async (_, message, code, details) => {
    const { status, body } = await scene.send({ type: 'text', text: { body: 'Oi' }, ...message })
    expect(body.error).toMatchObject({
      message: expect.stringContaining(`(#${code}) `),
      type: 'OAuthException',
      code,
      error_data: { messaging_product: 'whatsapp', details },
    })
    expect(status).toBe(400)
  })

  test('a number that is not registered', async () => {
    const { server, send } = scene
    server.number.registered = false
    const { status, body } = await send({ text: { body: 'Oi' } })
    expect([status, body.error!.message]).toEqual([400, '(#133010) Account not registered'])
  })

  test('an account that Meta locked', async () => {
    const { server, send } = scene
    server.account.update('ACCOUNT_VIOLATION', { violation_info: { violation_type: 'SPAM' } })
    expect(await send({ text: { body: 'Oi' } })).toMatchObject({
      status: 403,
      body: { error: { code: 131031 } },
    })
    server.account.update('ACCOUNT_RECONNECTED')
    expect(await send({ text: { body: 'Oi' } })).toMatchObject({ status: 200 })
  })

  test('somebody who is not on the list of a test number', async () => {
    const { server, send } = scene
    server.number.allowed = new Set([ANA])
    expect(await send({ to: '5511922222222', text: { body: 'Oi' } })).toMatchObject({
      status: 400,
      body: { error: { code: 131030 } },
    })
    expect(await send({ text: { body: 'Oi' } })).toMatchObject({ status: 200 })
  })

  test('to have read a message that never came', async () => {
    const { graph, server } = scene
    const read = { messaging_product: 'whatsapp', status: 'read', message_id: 'wamid.x' }
    expect(await graph('POST', `/${server.number.id}/messages`, read)).toMatchObject({
      status: 400,
      body: { error: { code: 131009 } },
    })
  })

  test('a file of a type that WhatsApp does not take', async () => {
    const { graph, server } = scene
    const answer = await graph('POST', `/${server.number.id}/media`, formOf('audio/webm', Buffer.from('x')))
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 100 } } })
    expect(answer.body.error!.message).toMatch(
      /^\(#100\) Param file must be a file with one of .*Received file of type 'audio\/webm'\.$/,
    )
    const form = formOf('image/png', samples['image/png'])
    form.delete('file')
    expect(await graph('POST', `/${server.number.id}/media`, form)).toMatchObject({
      body: { error: { message: '(#100) The parameter file is required.' } },
    })
  })
})

describe('accepted, and told as failed afterwards', () => {
  const failed = () => scene.receiver.statuses().filter(({ status }) => status === 'failed')

  test('to a number without WhatsApp (131026); nothing says whose user id it was', async () => {
    const { send, receiver } = scene
    const answer = await send({ to: '5511900000404', text: { body: 'Oi' } })
    expect(answer.status).toBe(200)
    expect(failed()).toEqual([
      {
        id: answer.body.messages![0]!.id,
        status: 'failed',
        timestamp: expect.any(String),
        recipient_id: '5511900000404',
        errors: [
          {
            code: 131026,
            title: 'Message undeliverable',
            message: 'Message undeliverable',
            error_data: { details: 'Message Undeliverable.' },
            href: expect.stringContaining('error-codes'),
          },
        ],
      },
    ])
    expect(receiver.values('messages').at(-1)).not.toHaveProperty('contacts')
  })

  test('24 hours and a moment after the customer wrote (131047), and not a moment before', async () => {
    const { send, server, ana } = scene
    await server.clock.advance(24 * 3_600_000)
    await send({ text: { body: 'Em tempo' } })
    expect(failed()).toEqual([])
    await server.clock.advance(1)
    await send({ text: { body: 'Tarde' } })
    expect(failed()).toMatchObject([{ errors: [{ code: 131047, title: 'Re-engagement message' }] }])
    ana.says('Voltei')
    await send({ text: { body: 'Que bom' } })
    expect(ana.received().map(({ text }) => text)).toEqual(['Em tempo', 'Que bom'])
  })

  test('the same is said in the answer where a test wants it so', async () => {
    const { send, server } = scene
    server.faults.atOnce.add(131047)
    await server.clock.advance(25 * 3_600_000)
    const { status, body } = await send({ text: { body: 'Tarde' } })
    expect([status, body.error!.message]).toEqual([400, '(#131047) Re-engagement message'])
    expect(server.sent).toEqual([])
  })

  test('a reaction to a message that is not in the chat (131009)', async () => {
    await scene.send({ type: 'reaction', reaction: { message_id: 'wamid.HBgx', emoji: '👍' } })
    expect(failed()).toMatchObject([{ errors: [{ code: 131009 }] }])
  })

  test.each([
    [
      'image',
      'image/png',
      Buffer.alloc(5 * 2 ** 20 + 1),
      'Image file has size 5242881 bytes but must be atmost 5242880 bytes and non-empty',
    ],
    [
      'video',
      'video/mp4',
      Buffer.alloc(0),
      'Video file has size 0 bytes but must be atmost 16777216 bytes and non-empty',
    ],
    [
      'sticker',
      'image/webp',
      Buffer.alloc(100_001),
      'Sticker file has size 100001 bytes but must be atmost 100000 bytes and non-empty',
    ],
    [
      'audio',
      'audio/ogg; codecs=opus',
      Buffer.from('OggS vorbis'),
      'Audio file uploaded with mimetype as audio/ogg; codecs=opus, however on processing it is of type application/octet-stream. Please choose a different file.',
    ],
    [
      'image',
      'application/pdf',
      samples['application/pdf'],
      'Unsupported Image mime type application/pdf. Please use one of image/jpeg, image/png.',
    ],
    [
      'image',
      'image/jpeg',
      samples['image/png'],
      'Image file uploaded with mimetype as image/jpeg, however on processing it is of type image/png. Please choose a different file.',
    ],
  ])('a file that is no %s (131053): %s', async (type, mime, bytes, details) => {
    const { graph, server, send } = scene
    const { body } = await graph('POST', `/${server.number.id}/media`, formOf(mime, bytes))
    expect(await send({ type, [type]: { id: body.id } })).toMatchObject({ status: 200 })
    expect(failed()).toMatchObject([
      { errors: [{ code: 131053, title: 'Media upload error', error_data: { details } }] },
    ])
  })

  test('a voice note that is no Ogg with Opus (131053)', async () => {
    await scene.send({ type: 'audio', audio: { id: await scene.upload('audio/mpeg'), voice: true } })
    expect(failed()).toMatchObject([{ errors: [{ code: 131053 }] }])
  })
})

describe('limits', () => {
  test('one person is written to 45 times at once, and then every 6 seconds (131056)', async () => {
    const { send, server } = scene
    const again = () => send({ text: { body: 'Oi' } }).then(({ body }) => body.error?.code)
    for (let n = 0; n < 45; n++) expect(await again()).toBeUndefined()
    expect(await again()).toBe(131056)
    await server.clock.advance(6_000)
    expect([await again(), await again()]).toEqual([undefined, 131056])
  })

  test('a number sends 80 messages in a second (130429)', async () => {
    const { send, server } = scene
    const to = (n: number) => send({ to: `55119${String(n).padStart(8, '0')}`, text: { body: 'Oi' } })
    for (let n = 0; n < 80; n++) expect((await to(n)).status).toBe(200)
    expect(await to(80)).toMatchObject({ status: 400, body: { error: { code: 130429 } } })
    await server.clock.advance(1_000)
    expect((await to(80)).status).toBe(200)
  })
})
