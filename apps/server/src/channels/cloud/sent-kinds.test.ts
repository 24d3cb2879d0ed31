import { samples } from '@balcao/cloud-api-server/samples.ts'
import type { TemplateComponent } from '@balcao/cloud-api-server/templates.ts'
import { cloud } from '@balcao/contract/cloud.ts'
import { PollData } from '@balcao/contract/kinds.ts'
import { type Message, messages } from '@balcao/contract/messages.ts'
import { Mp3Encoder } from '@breezystack/lamejs'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type CloudScene, setCloudScene } from '../../../testing/cloud.ts'
import { until } from '../../../testing/test-app.ts'

const SECONDS = 20_000
const MB = 2 ** 20
let scene: CloudScene
beforeAll(async () => {
  scene = await setCloudScene({ webhooks: { backOff: [200] }, number: '551130000004' })
})
afterEach(() => scene.meta.faults.clear())
afterAll(() => scene.end())

let last = 0
const newNumber = () => `551195${String(1_000_000 + ++last)}`
type Given = Pick<NonNullable<Parameters<typeof scene.admin.call<typeof messages.send>>[1]>, 'body' | 'files'>

async function room() {
  const number = newNumber()
  const ticketId = await scene.conversation(number)
  const customer = scene.meta.customer(number)
  const params = { ticketId, companyId: scene.admin.user.companyId }
  return {
    customer,
    ticketId,
    send: (given: Given) => scene.admin.get(messages.send, { params, ...given }),
    call: (given: Given) => scene.admin.call(messages.send, { params, ...given }),
    received: (many = 1) =>
      until(() => {
        const shown = customer.received()
        return shown.length >= many && shown
      }, SECONDS),
    one: (fits: (message: Said) => boolean) =>
      until(async () => (await scene.said(ticketId)).find(fits), SECONDS),
  }
}
type Said = Awaited<ReturnType<CloudScene['said']>>[number]

/** A file of so many bytes that begins as its kind does. */
const file = (name: string, type: string, head: Uint8Array, size = head.length) => {
  const bytes = new Uint8Array(Math.max(size, head.length))
  bytes.set(head)
  return { name, type, bytes }
}
const flag = 1

describe('choices', () => {
  test('are buttons; the one that is tapped comes as an answer to them', async () => {
    const { send, received, one, customer } = await room()
    const sent = await send({
      body: { body: 'Confirma?', choices: { kind: 'buttons', buttons: ['Sim', 'Não'] } },
    })
    const [shown] = await received()
    expect([shown!.type, shown!.text]).toEqual(['interactive', 'Confirma?'])
    expect(shown!.content.taps.map(({ as, title }) => [as, title])).toEqual([
      ['button_reply', 'Sim'],
      ['button_reply', 'Não'],
    ])
    customer.taps(shown!.id, 'Não')
    const answer = await one(({ fromMe, body }) => !fromMe && body === 'Não')
    expect(answer.quotedMsg?.id).toBe(sent.id)
  })

  test('are a list in sections, as full as Meta takes it', async () => {
    const { send, received, one, customer } = await room()
    const rows = (many: number, from = 0) =>
      Array.from({ length: many }, (_, at) => ({
        title: `Linha ${from + at}`.padEnd(24, '.'),
        description: 'd'.repeat(72),
      }))
    const sections = [
      { title: 'Um'.padEnd(24, '.'), rows: rows(6) },
      { title: 'Dois', rows: rows(4, 6) },
    ]
    const body = 'x'.repeat(4_096)
    await send({
      body: { body, choices: { kind: 'list', button: 'Ver as opções'.padEnd(20, '.'), sections } },
    })
    const [shown] = await received()
    expect(shown!.content.taps).toHaveLength(10)
    customer.taps(shown!.id, sections[1]!.rows[3]!.title)
    await one(({ fromMe, body: said }) => !fromMe && said.startsWith('Linha 9'))
  })
})

describe('a poll', () => {
  const votesOf = ({ dataJson }: Message) => PollData.parse(JSON.parse(dataJson!)).votes

  test('is buttons or a list, whose last tap is the vote, and a text where it fits neither', async () => {
    const { send, received, one, customer } = await room()
    const { id } = await send({ body: { poll: { question: 'Confirma?', options: ['Sim', 'Não'] } } })
    const [shown] = await received()
    expect([shown!.text, ...shown!.content.taps.map(({ title }) => title)]).toEqual([
      'Confirma?',
      'Sim',
      'Não',
    ])
    for (const [at, title] of ['Sim', 'Não'].entries()) {
      customer.taps(shown!.id, title)
      const message = await one(found => found.id === id && votesOf(found)[0]?.choices[0] === at)
      expect(votesOf(message)).toHaveLength(1)
    }
    await one(({ fromMe, body, quotedMsg }) => !fromMe && body === 'Não' && quotedMsg?.id === id)
    const long = 'Entrega no sábado pela manhã'
    await send({ body: { poll: { question: 'Quando?', options: [long, 'Outro dia'] } } })
    await send({ body: { poll: { question: 'Quais?', options: ['Pão', 'Bolo'], isMultiple: true } } })
    const [, list, text] = await received(3)
    expect(list!.content.taps.map(({ as, title }) => `${as} ${title}`)).toEqual([
      'list_reply Entrega no sábado pela…',
      'list_reply Outro dia',
    ])
    expect(text!.text).toBe('Quais?\n\n*1* - Pão\n*2* - Bolo')
  })
})

test('a pin is refused before it is tried: there are none', async () => {
  const { send, ticketId } = await room()
  const { id } = await send({ body: { body: 'Rua do Sol, 5' } })
  const params = { messageId: id }
  const { body } = await scene.admin.call(messages.pin, { params, body: { span: 'day' } })
  expect(body.error).toBe('ERR_WAPP_UNSUPPORTED')
  const { mayPin } = await scene.admin.get(messages.pins, { params: { ticketId } })
  expect(mayPin).toBe(false)
})

describe('a sound', () => {
  const mp3 = () => {
    const sound = Int16Array.from(
      { length: 44_100 },
      (_, at) => 16_000 * Math.sin((at * 2 * Math.PI * 440) / 44_100),
    )
    const encoder = new Mp3Encoder(1, 44_100, 128)
    return Buffer.concat([encoder.encodeBuffer(sound), encoder.flush()].map(part => Buffer.from(part)))
  }

  test('that was recorded leaves as a voice note, whatever it was recorded as', async () => {
    const { send, received } = await room()
    await send({ body: { isVoice: flag }, files: [file('voz.mp3', 'audio/mpeg', mp3())] })
    await send({
      body: { isVoice: flag },
      files: [file('voz.ogg', 'audio/ogg', samples['audio/ogg; codecs=opus'])],
    })
    const shown = await received(2)
    expect(shown.map(({ content }) => content.attached[0]!.voice)).toEqual([true, true])
    const [made] = shown
    expect(made!.content.attached[0]!.media!.bytes.toString('latin1', 0, 4)).toBe('OggS')
  })

  test('that is music stays one; with words it is a document, and neither is lost', async () => {
    const { send, received } = await room()
    const music = file('musica.mp3', 'audio/mpeg', mp3())
    await send({ files: [music], body: {} })
    await send({ files: [music], body: { body: 'ouça' } })
    const shown = await received(2)
    expect(shown.map(({ type, text }) => [type, text])).toEqual([
      ['audio', ''],
      ['document', 'ouça'],
    ])
    expect(shown[0]!.content.attached[0]!.voice).toBe(false)
  })
})

describe('a sticker', () => {
  const webp = samples['image/webp']
  const moving = Buffer.concat([
    Buffer.from('RIFF\x40\0\0\0WEBPVP8X\x0a\0\0\0\x02\0\0\0', 'latin1'),
    Buffer.from('\0\0\0\0\0\0ANIM\x06\0\0\0', 'latin1'),
    Buffer.alloc(16),
  ])
  test('is shown as one, standing or moving, as large as it may be', async () => {
    const { send, received, one } = await room()
    const sticker = (bytes: Uint8Array, size?: number) =>
      send({ body: { isSticker: flag }, files: [file('f.webp', 'image/webp', bytes, size)] })
    await sticker(webp)
    await sticker(moving, 400_000)
    expect((await received(2)).map(({ type }) => type)).toEqual(['sticker', 'sticker'])
    const tooLarge = await sticker(webp, 100_001)
    const refused = await one(({ id, ack }) => id === tooLarge.id && ack === 0)
    expect(refused.failReason).toBe('ERR_FILE_TOO_LARGE')
  })

  test('that nobody meant as one is a document: WhatsApp shows WebP as nothing else', async () => {
    const { send, received } = await room()
    await send({ body: { body: 'veja' }, files: [file('f.webp', 'image/webp', webp)] })
    expect((await received()).map(({ type, text }) => [type, text])).toEqual([['document', 'veja']])
  })
})

describe('a file', () => {
  test('that is larger than WhatsApp shows goes as a document', { timeout: 60_000 }, async () => {
    const { send, received } = await room()
    await send({ body: {}, files: [file('foto.png', 'image/png', samples['image/png'], 5 * MB + 1)] })
    await send({ body: {}, files: [file('filme.mp4', 'video/mp4', samples['video/mp4'], 16 * MB + 1)] })
    expect((await received(2)).map(({ type }) => type)).toEqual(['document', 'document'])
  })

  test('that is empty, or what it says it is not, is refused before it is sent', async () => {
    const { call } = await room()
    const empty = await call({ body: {}, files: [file('a.png', 'image/png', new Uint8Array())] })
    expect([empty.status, empty.body.error]).toEqual([415, 'ERR_FILE_TYPE'])
    const page = await call({ body: {}, files: [file('a.png', 'image/png', Buffer.from('<html>oi</html>'))] })
    expect(page.status).toBe(415)
  })

  test('that Meta forgot since it went up goes up again', async () => {
    const { send, received } = await room()
    const photo = file('foto.png', 'image/png', samples['image/png'])
    await send({ body: { body: 'antes' }, files: [photo] })
    await received()
    for (const node of scene.meta.state.nodes.values()) if ('expire' in node && 'bytes' in node) node.expire()
    await send({ body: { body: 'depois' }, files: [photo] })
    expect((await received(2)).map(({ text }) => text)).toEqual(['antes', 'depois'])
    expect(scene.meta.doubled()).toEqual([])
  })
})

describe('a template', () => {
  const add = (name: string, ...components: TemplateComponent[]) =>
    scene.meta.account.addTemplate({
      ...{ name, category: 'MARKETING' },
      components: [{ type: 'BODY', text: 'Veja' }, ...components],
    })
  const asked = (shown: { content: { asked: unknown } }) => shown.content.asked as { components: object[] }
  const filled = (name: string, ...variables: string[]) => ({
    body: 'Veja',
    template: { name, language: 'pt_BR', variables },
  })

  test('takes an uploaded picture, film or document with its name into its header, or an address', async () => {
    add('foto', { type: 'HEADER', format: 'IMAGE' })
    add('nota', { type: 'HEADER', format: 'DOCUMENT' })
    const { send, received, one } = await room()
    const png = file('bolo.png', 'image/png', samples['image/png'])
    const pdf = file('nota fiscal.pdf', 'application/pdf', samples['application/pdf'])
    await send({ body: filled('foto', ''), files: [png] })
    await received(1)
    await send({ body: filled('nota', ''), files: [pdf] })
    await received(2)
    const [photo, note] = await received(2)
    await send({ body: filled('nota', 'https://loja.test/notas/n%C2%BA%207.pdf') })
    // Meta fetches it, and finds nothing there
    const linked = await until(
      () => scene.meta.sent.find(({ content }) => content.attached[0]?.link),
      SECONDS,
    )
    expect(photo!.content.attached).toMatchObject([{ kind: 'image', media: { mime: 'image/png' } }])
    expect(note!.content.attached).toMatchObject([{ kind: 'document', media: { mime: 'application/pdf' } }])
    const documentOf = (shown: Parameters<typeof asked>[0]) => asked(shown).components[0]
    expect(documentOf(note!)).toMatchObject({ parameters: [{ document: { filename: 'nota fiscal.pdf' } }] })
    expect(documentOf(linked)).toMatchObject({ parameters: [{ document: { filename: 'nº 7.pdf' } }] })
    expect(await one(({ mediaType }) => mediaType === 'image')).toMatchObject({ body: 'Veja' })
  })

  test('whose header is another kind than the file, or has no file, fails before it is sent; so does a second file', async () => {
    add('filme', { type: 'HEADER', format: 'VIDEO' })
    add('simples')
    const { send, call, one } = await room()
    const png = file('bolo.png', 'image/png', samples['image/png'])
    const failed = async (given: Given) => {
      const { id } = await send(given)
      return (await one(message => message.id === id && message.ack === 0)).failReason
    }
    expect(await failed({ body: filled('filme', ''), files: [png] })).toBe('ERR_FILE_TYPE')
    expect(await failed({ body: filled('simples'), files: [png] })).toBe('ERR_WAPP_TEMPLATE')
    expect(await failed({ body: filled('filme', '') })).toBe('ERR_WAPP_TEMPLATE')
    expect((await call({ body: filled('filme', ''), files: [png, png] })).status).toBe(400)
  })

  test('opens a form, the catalogue, products in sections or a place; what it cannot fill it names', async () => {
    add('form', { type: 'BUTTONS', buttons: [{ type: 'FLOW', text: 'Responder', flow_id: '1' }] })
    add('loja', { type: 'BUTTONS', buttons: [{ type: 'CATALOG', text: 'Ver catálogo' }] })
    add('itens', { type: 'BUTTONS', buttons: [{ type: 'MPM', text: 'Ver itens' }] })
    add('onde', { type: 'HEADER', format: 'LOCATION' })
    add('um', { type: 'HEADER', format: 'PRODUCT' })
    const { send, received, one } = await room()
    await send({ body: filled('form') })
    await received(1)
    await send({ body: filled('loja', 'sonho') })
    await received(2)
    await send({ body: filled('itens', 'Doces: sonho, bolo; Pães: pão') })
    await received(3)
    await send({ body: filled('onde', '-12.97, -38.5; Loja; Rua Chile, 10') })
    const shown = await received(4)
    const action = (given: object) => ({ parameters: [{ type: 'action', action: given }] })
    const product = (product_retailer_id: string) => ({ product_retailer_id })
    expect(shown.map(one => asked(one).components)).toMatchObject([
      [{ sub_type: 'flow', index: 0, ...action({ flow_token: 'unused' }) }],
      [{ sub_type: 'catalog', index: 0, ...action({ thumbnail_product_retailer_id: 'sonho' }) }],
      [
        {
          sub_type: 'mpm',
          ...action({
            thumbnail_product_retailer_id: 'sonho',
            sections: [
              { title: 'Doces', product_items: [product('sonho'), product('bolo')] },
              { title: 'Pães', product_items: [product('pão')] },
            ],
          }),
        },
      ],
      [
        {
          type: 'header',
          parameters: [{ type: 'location', location: { latitude: '-12.97', name: 'Loja' } }],
        },
      ],
    ])
    const { id } = await send({ body: filled('itens', 'Doces') })
    expect((await one(message => message.id === id && message.ack === 0)).failReason).toBe(
      'ERR_WAPP_TEMPLATE',
    )
    const listed = await scene.admin.get(cloud.templates, { params: { whatsappId: scene.whatsappId } })
    const known = listed.map(({ name, sendable, unfilled }) => [name, sendable, unfilled])
    expect(known).toContainEqual(['um', false, 'PRODUCT'])
    expect(known).toContainEqual(['itens', true, ''])
  })
})

test('a text with an address shows its page, and another asks for none', async () => {
  const { send, received } = await room()
  await send({ body: { body: 'Veja https://loja.test/bolo' } })
  await received(1)
  await send({ body: { body: 'Bom dia' } })
  const previews = (await received(2)).map(({ content }) => content.asked)
  expect(previews).toMatchObject([{ preview_url: true }, { preview_url: false }])
})
