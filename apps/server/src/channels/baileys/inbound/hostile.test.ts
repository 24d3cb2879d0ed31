import { CardData, ChoiceData, LinkData, Media, PlaceData } from '@balcao/contract/media.ts'
import { until } from '@balcao/whatsapp-server/wait.ts'
import { proto } from 'baileys'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NAMES, VCARDS } from '../../../../testing/hostile.ts'
import { type Scene, SHOP, setScene } from '../../../../testing/whatsapp.ts'
import { cardsOf, peopleOn } from './contact-cards.ts'
import { fileNameFrom, lineFrom, mimeFrom, pageFrom, textFrom, thumbnailFrom } from './text.ts'
import { inboundFrom } from './translate.ts'

let scene: Scene

beforeAll(async () => {
  scene = await setScene()
})
afterAll(() => scene.end())

const key = { remoteJid: '123456789012345@lid', id: 'X1', fromMe: false }
const received = (message: proto.IMessage) => {
  const decoded = proto.Message.decode(proto.Message.encode(message).finish())
  const found = inboundFrom({ key, message: decoded, pushName: 'Eva', messageTimestamp: 1 })
  if (found?.kind !== 'message') throw new Error(`received ${found?.kind}`)
  return found
}
const pointer = { mediaKey: Buffer.alloc(32), url: 'https://mmg.whatsapp.net/x', directPath: '/x' }

/** Nothing in it may make the database, the socket or a screen stumble. */
function expectHarmless(message: object) {
  const text = JSON.stringify(message)
  expect(text).not.toContain('\\u0000')
  expect(text.isWellFormed()).toBe(true)
}

test.each(NAMES)('a file and a person named %j are named harmlessly', name => {
  const found = received({ documentMessage: { ...pointer, fileName: name, caption: name, mimetype: name } })
  expectHarmless(found)
  expect(found.file!.name).not.toMatch(/[/\\\p{Cc}\u202a-\u202e]/u)
  expect(found.file!.name.length).toBeLessThanOrEqual(255)
  expect(found.file!.type).toBe('application/octet-stream')
  expect(lineFrom(name).length).toBeLessThanOrEqual(255)
})

test('a long name keeps its ending, a type its parameters', () => {
  expect(fileNameFrom(`${'a'.repeat(400)}.pdf`)).toMatch(/^a{251}\.pdf$/)
  expect(fileNameFrom('pasta/nota fiscal.pdf')).toBe('nota fiscal.pdf')
  expect(mimeFrom('audio/ogg; codecs=opus')).toBe('audio/ogg; codecs=opus')
  expect(mimeFrom('text/html\r\nx: y')).toBe('application/octet-stream')
})

test.each([
  [
    { fileLength: -1, seconds: -3, width: 0, height: 4_294_967_295 },
    { seconds: null, width: null, height: null },
  ],
  [
    { fileLength: 1e300, seconds: 4_294_967_295, width: 1, height: 1 },
    { seconds: null, width: 1, height: 1 },
  ],
  [
    { fileLength: 0, seconds: 0, width: 0, height: 0 },
    { seconds: 0, width: null, height: null },
  ],
])('sizes that cannot be true (%j) are not known', (sizes, known) => {
  const { file } = received({ videoMessage: { ...pointer, ...sizes } })
  expect(Media.parse({ ...file, state: 'loading' })).toMatchObject(known)
  expect(file!.size).toBeGreaterThanOrEqual(0)
})

test('a file without a key or an address is no file, and its message is heard', () => {
  expect(received({ imageMessage: { caption: 'x', url: 'https://mmg.whatsapp.net/x' } })).toMatchObject({
    body: 'x',
  })
  expect(received({ imageMessage: { mediaKey: Buffer.alloc(32) } }).file).toBeUndefined()
})

test.each(VCARDS.map(vcard => [vcard.slice(0, 40), vcard]))(
  'a card that says %j is read harmlessly',
  (_, vcard) => {
    const found = received({ contactMessage: { displayName: '', vcard } })
    expectHarmless(found)
    const { contacts } = CardData.parse(found.data)
    expect(contacts).toHaveLength(1)
    expect(contacts[0]!.phones.length).toBeLessThanOrEqual(20)
  },
)

test.each(VCARDS.map(vcard => [vcard.slice(0, 40), vcard]))(
  'two hundred cards that say %j are read once over, the first hundred of them',
  (_, vcard) => {
    const before = process.cpuUsage()
    const { contacts } = peopleOn(new Array(200).fill({ displayName: '', vcard }))
    // tenths of a second; read from each of its characters to the end, one card would take seconds
    expect(process.cpuUsage(before).user).toBeLessThan(5_000_000)
    expect(contacts).toHaveLength(100)
  },
)

test('of a card that does not end the beginning is read', () => {
  const after = (lines: number) => `BEGIN:VCARD\n${'NOTE:\n'.repeat(lines)}FN:Eva\nTEL:+5511999999999`
  const read = { name: 'Eva', phones: [{ number: '+5511999999999', onWhatsApp: false }] }
  const people = [1_000, 20_000].map(lines => ({ displayName: '', vcard: after(lines) }))
  expect(peopleOn(people)).toEqual({ contacts: [read, { name: '', phones: [] }] })
})

test('a card that was written here is read as it was meant', () => {
  const people = {
    contacts: [
      { name: 'Bia; da, Padaria \\ Ltda', phones: [{ number: '5511922222222', onWhatsApp: true }] },
      { name: 'Zé', phones: [{ number: '+551133334444', onWhatsApp: false }] },
    ],
  }
  expect(peopleOn(cardsOf(people).map(({ vcard }) => ({ displayName: '', vcard })))).toEqual(people)
})

test('places off the earth, pages that are none and broken pictures are left out', () => {
  for (const degreesLatitude of [91, Number.NaN, Number.POSITIVE_INFINITY])
    expect(
      received({ locationMessage: { degreesLatitude, degreesLongitude: 0, name: 'x' } }).data,
    ).toBeUndefined()
  expect(
    PlaceData.parse(received({ locationMessage: { degreesLatitude: 0, degreesLongitude: 0 } }).data),
  ).toBeTruthy()
  for (const page of ['javascript:alert(1)', 'file:///x', 'https://', 'http://[', ''])
    expect(pageFrom(page)).toBe('')
  const shown = (jpegThumbnail: Uint8Array) =>
    received({ extendedTextMessage: { text: 'x', matchedText: 'https://a.test', title: 'A', jpegThumbnail } })
      .data
  for (const broken of [Buffer.from('<svg>'), Buffer.alloc(0), Buffer.alloc(1_000_000, 0xff)])
    expect(LinkData.parse(shown(broken)).thumbnail).toBe('')
  expect(thumbnailFrom(Buffer.from([0xff, 0xd8, 1]))).toBe('/9gB')
  expect(textFrom('a\0b\ud800')).toBe('ab\ufffd')
})

test('whatever bytes arrive, they are heard as something harmless or not at all', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), bytes => {
      let message: proto.Message
      try {
        message = proto.Message.decode(bytes)
      } catch {
        return
      }
      const found = inboundFrom({ key, message, pushName: 'Eva', messageTimestamp: 1 })
      if (found) expectHarmless(found)
    }),
    { numRuns: 5_000, seed: 7 },
  )
})

const strange = fc.record(
  { caption: fc.string({ unit: 'binary' }), fileName: fc.string({ unit: 'binary' }), mimetype: fc.string() },
  { requiredKeys: [] },
)

test('whatever stands in the fields of a message, what is heard fits the contract', () => {
  fc.assert(
    fc.property(
      strange,
      fc.double(),
      fc.double(),
      fc.array(fc.string({ unit: 'binary' })),
      (part, degreesLatitude, degreesLongitude, labels) => {
        const { file } = received({ documentMessage: { ...pointer, ...part } })
        Media.parse({ ...file, state: 'loading' })
        const place = received({ locationMessage: { degreesLatitude, degreesLongitude, name: part.caption } })
        if (place.data) PlaceData.parse(place.data)
        const options = labels.map(optionName => ({ optionName }))
        const poll = received({ pollCreationMessage: { name: part.fileName, options } })
        if (poll.data) ChoiceData.parse(poll.data)
        for (const one of [place, poll]) expectHarmless(one)
      },
    ),
    { numRuns: 500, seed: 7 },
  )
})

test('none of it ends the session', async () => {
  const lot: proto.IMessage[] = [
    ...NAMES.map(fileName => ({ documentMessage: { ...pointer, fileName, mimetype: fileName } })),
    ...VCARDS.map(vcard => ({ contactMessage: { displayName: '\0', vcard: vcard.slice(0, 200_000) } })),
    { reactionMessage: {} },
    { reactionMessage: { key: {}, text: '👍' } },
    { protocolMessage: {} },
    { protocolMessage: { type: 14, key: { id: 'x' } } },
    { protocolMessage: { type: 14, key: { id: 'x' }, editedMessage: { protocolMessage: { type: 0 } } } },
    { viewOnceMessage: {} },
    { ephemeralMessage: { message: { ephemeralMessage: { message: {} } } } },
    { contactsArrayMessage: {} },
    { listMessage: { sections: [{}] } },
    { templateMessage: {} },
    { interactiveMessage: {} },
    { buttonsMessage: { buttons: [{}] } },
    { imageMessage: { ...pointer, jpegThumbnail: Buffer.alloc(500_000, 1) } },
    { extendedTextMessage: { text: 'x'.repeat(200_000) } },
    { conversation: '\0\ud800' },
  ]
  const before = scene.host.states.length
  for (const message of lot) await scene.ana.send(SHOP, message)
  const id = await scene.ana.write(SHOP, 'ainda aí?')
  await until('the last', () => scene.host.messages().some(({ externalId }) => externalId === id))
  for (const one of scene.host.messages()) expectHarmless(one)
  expect(scene.host.states).toHaveLength(before)
  expect(scene.server.tally.nacks).toEqual([])
  // What Baileys itself cannot digest is looked at again when the session opens.
  await scene.reopen()
  const kept = () => [...scene.host.rows.keys()].filter(row => row.startsWith('inbox-journal'))
  await until('an empty journal', () => kept().length === 0)
  const again = await scene.ana.write(SHOP, 'e agora?')
  await until('the next', () => scene.host.messages().some(({ externalId }) => externalId === again))
})

test('what cannot be stored is set aside with its reason, and neither its batch nor its chat waits for it', async () => {
  const { receive } = scene.host
  scene.host.receive = async events => {
    if (events.some(one => one.kind === 'message' && one.body === 'veneno')) throw new RangeError('too long')
    return receive(events)
  }
  for (const body of ['antes', 'veneno', 'depois']) await scene.ana.write(SHOP, body)
  const bodies = () => scene.host.messages().map(({ body }) => body)
  await until('the next of the chat', () => bodies().includes('depois'))
  scene.host.receive = receive
  expect(bodies()).toContain('antes')
  const aside = scene.host.heard.filter(one => one.kind === 'strange')
  expect(aside.at(-1)).toMatchObject({ why: expect.stringContaining('too long'), chat: { kind: 'lid' } })
})

test('while it is ours that nothing can be recorded, nothing is set aside', async () => {
  const aside = () => scene.host.heard.filter(one => one.kind === 'strange').length
  const before = aside()
  let failures = 0
  scene.host.fault = what => {
    if (what === 'hear' && failures++ < 2)
      throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  }
  await scene.ana.write(SHOP, 'sem banco')
  await until('the message', () => scene.host.messages().some(({ body }) => body === 'sem banco'))
  scene.host.fault = () => {}
  expect([failures > 2, aside()]).toEqual([true, before])
})

const withButton = (name: string, params: object) =>
  received({
    interactiveMessage: {
      body: { text: 'Menu' },
      nativeFlowMessage: { buttons: [{ name, buttonParamsJson: JSON.stringify(params) }] },
    },
  })

test('a button with the name of something that every object has is no payment, and a number that is none is unknown', () => {
  for (const name of ['constructor', '__proto__', 'toString'])
    expect(withButton(name, { title: 'Ver' })).toMatchObject({ mediaType: null, data: { choices: ['Ver'] } })
  const odd = { toString: 1, valueOf: 1 }
  const order = { items: [{ name: 'Bolo', quantity: odd, amount: { value: odd } }] }
  expect(withButton('review_and_pay', { total_amount: { value: odd }, order })).toMatchObject({
    ...{ mediaType: 'payment', body: 'Menu\n1 × Bolo' },
    data: { amount: null, items: [{ quantity: 1, price: null }] },
  })
})

test('buttons beyond any number are read once, and a carousel offers as many choices as a message may have', () => {
  const buttons = Array.from({ length: 100_000 }, () => ({}))
  expect(received({ interactiveMessage: { nativeFlowMessage: { buttons } } }).mediaType).toBe(
    'interactiveMessage',
  )
  const choices = Array.from({ length: 90 }, (_, at) => ({
    buttonParamsJson: JSON.stringify({ title: `${at}` }),
  }))
  const cards = [1, 2].map(() => ({ nativeFlowMessage: { buttons: choices } }))
  const { data } = received({ interactiveMessage: { body: { text: 'Ofertas' }, carouselMessage: { cards } } })
  expect(ChoiceData.parse(data).choices).toHaveLength(100)
})
