import { PollData } from '@balcao/contract/kinds.ts'
import { ChoiceData } from '@balcao/contract/media.ts'
import { type Message, messageChannel, messages } from '@balcao/contract/messages.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { picture, sticker } from '../../../testing/samples.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'

let app: TestApp
let marina: Person
let params: { whatsappId: number }
beforeAll(async () => {
  app = await openTestApp()
  marina = await app.as('atendente@balcao.test')
  params = { whatsappId: marina.user.whatsappId! }
})
afterAll(() => app.close())

let last = 0
async function conversation() {
  const number = `55119${83_000_000 + ++last}`
  await marina.get(simulator.write, { params, body: { number, name: 'Renata', body: 'Oi' } })
  const { id: ticketId } = await until(async () => {
    const found = await marina.get(tickets.list, { query: { status: 'pending' } })
    return found.tickets.find(ticket => ticket.contact.number === number)
  })
  const queueId = marina.user.queues[0]!.id
  await marina.get(tickets.change, { params: { ticketId }, body: { status: 'open', queueId } })
  return {
    number,
    send: (given: Omit<NonNullable<Parameters<typeof marina.call<typeof messages.send>>[1]>, 'params'>) =>
      marina.call(messages.send, { params: { ticketId, companyId: marina.user.companyId }, ...given }),
    onPhone: () =>
      until(async () => {
        const shown = await marina.get(simulator.chat, { params: { ...params, number } })
        return shown.at(-1)?.fromMe && shown.at(-1)
      }),
    listed: async () => (await marina.get(messages.list, { params: { ticketId } })).messages,
  }
}
const choicesIn = (dataJson: string | null) => ChoiceData.parse(JSON.parse(dataJson!)).choices

test('choices stand below the text, on the phone and here; the one that is tapped comes as an answer', async () => {
  const { number, send, onPhone, listed } = await conversation()
  const choices = {
    kind: 'list' as const,
    button: 'Ver',
    sections: [
      { title: 'Pães', rows: [{ title: 'Francês' }, { title: 'De forma', description: 'Fatiado' }] },
      { title: 'Bolos', rows: [{ title: 'Fubá' }] },
    ],
  }
  const { body: sent } = await send({ body: { body: 'O que vai ser?', choices } })
  expect(sent).toMatchObject({ body: 'O que vai ser?', mediaType: null })
  expect(choicesIn(sent.dataJson)).toEqual(['Francês', 'De forma', 'Fubá'])
  const shown = (await onPhone())!
  expect([shown.body, choicesIn(shown.dataJson)]).toEqual(['O que vai ser?', ['Francês', 'De forma', 'Fubá']])
  await marina.get(simulator.write, { params, body: { number, body: 'Fubá', quotedId: shown.id } })
  const answer = await until(async () => (await listed()).find(one => one.body === 'Fubá'))
  expect(answer).toMatchObject({ fromMe: false, mediaType: null, quotedMsg: { id: sent.id } })
})

test('choices beyond WhatsApp’s limits are refused by their field', async () => {
  const { send } = await conversation()
  const buttons = ['1', '2', '3', '4']
  const { status, body } = await send({ body: { body: 'Oi?', choices: { kind: 'buttons', buttons } } })
  expect([status, body.field]).toEqual([400, 'choices.buttons'])
})

test('a vote in a poll is pushed to who reads the conversation; another company has no such phone', async () => {
  const { number, send, onPhone, listed } = await conversation()
  const changes = await marina.subscribe(messageChannel)
  const { body: sent } = await send({
    body: { poll: { question: 'Que dia?', options: ['Sexta', 'Sábado'] } },
  })
  expect(sent).toMatchObject({ body: 'Que dia?', mediaType: 'poll' })
  const { id: messageId } = (await onPhone())!
  const vote = { params: { ...params, messageId }, body: { number, choices: [1] } }
  const stranger = await app.as('admin@outra.test')
  expect((await stranger.call(simulator.vote, vote)).body.error).toBe('ERR_NO_WAPP_FOUND')
  await marina.get(simulator.vote, vote)
  const votesIn = (message: Message) => PollData.parse(JSON.parse(message.dataJson!)).votes
  const pushed = await until(() =>
    changes.find(push => push.action === 'update' && push.message.id === sent.id && votesIn(push.message)[0]),
  )
  const [kept] = (await listed()).filter(({ id }) => id === sent.id)
  expect(pushed).toMatchObject({ message: { dataJson: kept!.dataJson } })
  expect(votesIn(kept!)).toMatchObject([{ by: 'contact', choices: [1] }])
})

test('a poll takes no files, and is refused by its field', async () => {
  const { send } = await conversation()
  const poll = { question: 'Que dia?', options: ['Sexta', 'Sábado'] }
  const refused = await send({ body: { poll }, files: [picture()] })
  expect([refused.status, refused.body.field]).toEqual([400, 'poll'])
  const { body } = await send({ body: { poll: { ...poll, options: ['Sexta'] } } })
  expect(body.field).toBe('poll.options')
})

test('WebP goes out as a sticker when it is meant as one; nothing else does, and none with words', async () => {
  const { send, onPhone } = await conversation()
  const isSticker = 1
  const sent = await send({ body: { isSticker }, files: [sticker()] })
  expect([sent.status, sent.body.mediaType]).toEqual([200, 'sticker'])
  expect(await onPhone()).toMatchObject({ mediaType: 'sticker', body: '' })
  const refusal = async (given: Parameters<typeof send>[0]) => {
    const { status, body } = await send(given)
    return [status, body.error, body.field]
  }
  expect(await refusal({ body: { isSticker }, files: [picture()] })).toEqual([
    415,
    'ERR_FILE_TYPE',
    'isSticker',
  ])
  expect(await refusal({ body: { isSticker, body: 'oi' }, files: [sticker()] })).toEqual([
    400,
    'ERR_BAD_REQUEST',
    'body',
  ])
  expect(await refusal({ body: { isSticker } })).toEqual([415, 'ERR_FILE_TYPE', 'isSticker'])
})
