import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { PollData } from '@balcao/contract/kinds.ts'
import { messageLogs } from '@balcao/contract/messageLogs.ts'
import type { Message, Typing } from '@balcao/contract/messages.ts'
import { messages, typingChannel } from '@balcao/contract/messages.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { film, paper, picture, sticker, voice } from '../../testing/samples.ts'
import { type Person, type TestApp, until } from '../../testing/test-app.ts'

type Sample = ReturnType<typeof picture>

/** The content of a customer's message. */
export interface Saying {
  body?: string
  file?: Sample & { as: 'image' | 'video' | 'audio' | 'document' | 'sticker'; isVoice?: boolean }
  place?: { latitude: number; longitude: number; name: string }
  card?: { name: string; number: string }
  /** A kind that the product does not know, by the network's name. */
  unknown?: string
  /** The network's id of the message answered to. */
  quotes?: string
  isForwarded?: boolean
}

/** A message of the company as a customer's phone shows it. */
export interface Shown {
  id: string
  body: string
  kind: 'text' | 'image' | 'video' | 'audio' | 'document' | 'sticker' | 'location' | 'contacts' | 'poll'
  bytes?: Buffer
  place?: { latitude: number; longitude: number; name: string }
  card?: { name: string; number: string }
  quotedId?: string
  isForwarded?: boolean
  isDeleted: boolean
  isEdited: boolean
}

/** A network with customers who do everything a phone can; each driver brings its own. */
export interface KindsNetwork {
  app: TestApp
  whatsappId: number
  /** Answers the network's id of it. */
  say(number: string, saying: Saying): Promise<string>
  /** What the company wrote, oldest first. */
  shows(number: string): Promise<Shown[]>
  /** The company's reaction on a message of the customer; empty when there is none. */
  reactionOn(number: string, id: string): Promise<string>
  /** To messages of either side, by the network's id. */
  react(number: string, id: string, emoji: string): Promise<void>
  edit(number: string, id: string, body: string): Promise<void>
  erase(number: string, id: string): Promise<void>
  /** In a poll of the company, by its choices; none withdraw the vote. */
  vote(number: string, id: string, choices: string[]): Promise<void>
  types(number: string, state: Typing): Promise<void>
  /** What the phone shows of the company at this moment. */
  typing(number: string): Promise<Typing>
  close(): Promise<void>
}

/** What a network cannot do at all, such as edits on the official API. */
type Lacks = 'edits' | 'deletions' | 'typing from customers'

const SECONDS = 20_000
const place = { latitude: -23.5505, longitude: -46.6333, name: 'Praça da Sé' }

/** Every kind of message and everything that can be done to one, both ways, through the whole product. */
export function kindsSuite(name: string, open: () => Promise<KindsNetwork>, lacks: Lacks[] = []) {
  const only = (what: Lacks) => !lacks.includes(what)
  describe(`every kind of message by the ${name} driver`, () => {
    let network: KindsNetwork
    let admin: Person
    beforeAll(async () => {
      network = await open()
      admin = await network.app.as('admin@balcao.test')
    })
    afterAll(() => network.close())

    let last = 0
    async function conversation() {
      const number = `551195${String(1_000_000 + ++last)}`
      await network.say(number, { body: 'Oi' })
      const { id: ticketId, contactId } = await until(async () => {
        const query = { status: 'pending', showAll: true } as const
        const { tickets: listed } = await admin.get(tickets.list, { query })
        return listed.find(ticket => ticket.contact.number === number)
      }, SECONDS)
      await admin.get(tickets.change, {
        params: { ticketId },
        body: { status: 'open', queueId: admin.user.queues[0]!.id },
      })
      const listed = async () => (await admin.get(messages.list, { params: { ticketId } })).messages
      const received = (holds: (message: Message) => unknown) =>
        until(async () => (await listed()).find(message => holds(message)), SECONDS)
      const send = (given: { body: object; files?: Sample[] }) =>
        admin.get(messages.send, { params: { ticketId, companyId: admin.user.companyId }, ...given })
      const shown = (holds: (message: Shown) => unknown) =>
        until(async () => (await network.shows(number)).find(message => holds(message)), SECONDS)
      return { number, ticketId, contactId, received, send, shown }
    }

    const bytesOf = async ({ mediaUrl }: Message) =>
      Buffer.from(await (await admin.fetch(mediaUrl!)).arrayBuffer())

    test.each([
      { ...picture(), as: 'image' as const },
      { ...film(), as: 'video' as const },
      { ...voice(), as: 'audio' as const, isVoice: true },
      { ...paper('nota fiscal.pdf'), as: 'document' as const },
      { ...sticker(), as: 'sticker' as const },
    ])('brings a file byte for byte: $as', async file => {
      const { number, received } = await conversation()
      await network.say(number, { file })
      const message = await received(one => one.mediaType === file.as && one.media?.state === 'ready')
      expect(await bytesOf(message)).toEqual(Buffer.from(file.bytes))
      expect(message.media!.isVoice).toBe('isVoice' in file)
      if (file.as === 'document') expect(message.media!.name).toBe(file.name)
    })

    test.each([
      ['image', picture()],
      ['video', film()],
      ['document', paper('orçamento.pdf')],
    ] as const)('takes out a file byte for byte: %s', async (kind, file) => {
      const { send, shown } = await conversation()
      await send({ body: { body: 'segue' }, files: [file] })
      const message = await shown(one => one.kind === kind)
      expect(message.body).toBe('segue')
      expect(message.bytes).toEqual(Buffer.from(file.bytes))
    })

    test('brings and takes out places and cards', async () => {
      const { number, contactId, received, send, shown } = await conversation()
      await network.say(number, { place })
      const where = await received(one => one.mediaType === 'location')
      expect(JSON.parse(where.dataJson!)).toMatchObject({ latitude: place.latitude, name: place.name })
      await network.say(number, { card: { name: 'Rui', number: '5511988887777' } })
      const card = await received(one => one.mediaType === 'vcard')
      expect(JSON.parse(card.dataJson!).contacts[0]).toMatchObject({ name: 'Rui' })
      await send({ body: { location: place } })
      const there = await shown(one => one.kind === 'location')
      expect(there.place!.latitude).toBeCloseTo(place.latitude, 4)
      await send({ body: { contactIds: [contactId] } })
      expect((await shown(one => one.kind === 'contacts')).card!.number).toBe(number)
    })

    test('keeps what it does not know under its name', async () => {
      const { number, received } = await conversation()
      await network.say(number, { unknown: 'requestPhoneNumberMessage' })
      expect((await received(one => one.mediaType !== null)).mediaType).toBe('requestPhoneNumberMessage')
      expect(await network.app.platform.metrics.render()).toMatch(/whatsapp_unknown_kinds_total [1-9]/)
    })

    test('knows what is answered to, both ways, and what was passed on', async () => {
      const { number, received, send, shown } = await conversation()
      const { id: asked } = await send({ body: { body: 'Qual o tamanho?' } })
      const question = await shown(one => one.body.endsWith('Qual o tamanho?'))
      const theirs = await network.say(number, { body: 'M', quotes: question.id, isForwarded: true })
      const answer = await received(one => one.body === 'M')
      expect([answer.quotedMsg?.id, answer.isForwarded]).toEqual([asked, true])
      await send({ body: { body: 'Certo', quotedMsg: answer.id } })
      expect((await shown(one => one.body.endsWith('Certo'))).quotedId).toBe(theirs)
    })

    test('takes out again what was forwarded: words, a file and a place', async () => {
      const { number, ticketId, contactId, received, shown } = await conversation()
      const file = { ...picture(), as: 'image' as const }
      await network.say(number, { file })
      await network.say(number, { place })
      await network.say(number, { body: 'o endereço' })
      const photo = await received(one => one.mediaType === 'image' && one.media?.state === 'ready')
      const where = await received(one => one.mediaType === 'location')
      const words = await received(one => one.body === 'o endereço')
      const asked = [words, photo, where].map(({ id }) => ({ id: randomUUID(), messageId: id }))
      const copies = await admin.get(messages.forward, {
        params: { ticketId },
        body: { from: ticketId, messages: asked },
      })
      expect(copies.messages.map(one => [one.contactId, one.isForwarded])).toEqual(
        asked.map(() => [contactId, true]),
      )
      expect((await shown(one => one.body === 'o endereço')).isForwarded).toBe(true)
      const there = await shown(one => one.kind === 'image')
      expect([there.bytes, there.isForwarded]).toEqual([Buffer.from(file.bytes), true])
      expect((await shown(one => one.kind === 'location')).isForwarded).toBe(true)
    })

    test('passes reactions on, both ways, until they are taken off', async () => {
      const { number, received, send, shown } = await conversation()
      const { id } = await send({ body: { body: 'Obrigado' } })
      const ours = await shown(one => one.body.endsWith('Obrigado'))
      await network.react(number, ours.id, '❤️')
      await received(one => one.id === id && one.reactions[0]?.emoji === '❤️')
      await network.react(number, ours.id, '')
      await received(one => one.id === id && one.reactions.length === 0)
      const theirs = await network.say(number, { body: 'De nada' })
      const { id: messageId } = await received(one => one.body === 'De nada')
      for (const emoji of ['👍', '']) {
        await admin.get(messages.react, { params: { messageId }, body: { emoji } })
        await until(async () => (await network.reactionOn(number, theirs)) === emoji, SECONDS)
      }
    })

    test('asks by a poll, and counts the last vote of a person once, until it is withdrawn', async () => {
      const { number, received, send, shown } = await conversation()
      const poll = { question: 'Que dia?', options: ['Sábado', 'Domingo'], isMultiple: false }
      const sent = await send({ body: { poll } })
      expect(sent).toMatchObject({ mediaType: 'poll', body: 'Que dia?' })
      const asked = await shown(one => one.kind === 'poll')
      expect(asked.body).toBe('Que dia?')
      const votesOf = ({ dataJson }: Message) => PollData.parse(JSON.parse(dataJson!)).votes
      for (const choices of [['Domingo'], ['Sábado'], []]) {
        await network.vote(number, asked.id, choices)
        const numbers = choices.map(choice => poll.options.indexOf(choice))
        const message = await received(
          one => one.id === sent.id && isDeepStrictEqual(votesOf(one)[0]?.choices, numbers),
        )
        expect(votesOf(message).map(({ by }) => by)).toEqual(['contact'])
      }
    })

    if (only('edits'))
      test('changes texts, both ways', async () => {
        const { number, received, send, shown } = await conversation()
        const theirs = await network.say(number, { body: 'quero dois' })
        await received(one => one.body === 'quero dois')
        await network.edit(number, theirs, 'quero três')
        await received(one => one.body === 'quero três' && one.editedAt)
        const { id: messageId } = await send({ body: { body: 'amanhã' } })
        await received(one => one.id === messageId && one.ack >= 2)
        await admin.get(messages.edit, { params: { messageId }, body: { body: 'hoje' } })
        await shown(one => one.body.endsWith('hoje') && one.isEdited)
        await received(one => one.id === messageId && one.editedAt)
      })

    if (only('edits'))
      test('takes both of two changes within a second, the second one last', async () => {
        const { number, received } = await conversation()
        const theirs = await network.say(number, { body: 'quero um' })
        const { id } = await received(one => one.body === 'quero um')
        for (const body of ['quero dois', 'quero três', 'quero quatro'])
          await network.edit(number, theirs, body)
        await received(one => one.id === id && one.body === 'quero quatro')
        const master = await network.app.as('master@balcao.test')
        const query = { searchParam: theirs }
        const { messagesBruteLogs: log } = await master.get(messageLogs.list, { query })
        expect(log.filter(({ type }) => type === 'edit').map(({ details0 }) => details0)).toEqual([
          'quero quatro',
          'quero três',
          'quero dois',
        ])
      })

    if (only('deletions'))
      test('deletes for everyone, both ways', async () => {
        const { number, received, send, shown } = await conversation()
        const theirs = await network.say(number, { body: 'engano' })
        const { id: mistake } = await received(one => one.body === 'engano')
        await network.erase(number, theirs)
        await received(one => one.id === mistake && one.isDeleted)
        const { id: messageId } = await send({ body: { body: 'outro engano' } })
        await received(one => one.id === messageId && one.ack >= 2)
        await admin.get(messages.remove, { params: { messageId, channel: 'whatsapp' } })
        await received(one => one.id === messageId && one.isDeleted)
        await shown(one => one.isDeleted)
      })

    test('shows the customer that somebody writes', async () => {
      const { number, ticketId } = await conversation()
      await admin.get(messages.type, { params: { ticketId }, body: { state: 'composing' } })
      await until(async () => (await network.typing(number)) === 'composing', SECONDS)
    })

    if (only('typing from customers'))
      test('shows that the customer writes', async () => {
        const { number, ticketId, contactId } = await conversation()
        const received = await admin.subscribe(typingChannel)
        await network.types(number, 'composing')
        await until(() => received.length > 0, SECONDS)
        expect(received[0]).toEqual({ contactId, ticketId, state: 'composing' })
      })
  })
}
