import { until } from '@balcao/whatsapp-server/wait.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ANA, type Scene, SHOP, setScene } from '../../../../testing/whatsapp.ts'

let scene: Scene
let bia: Awaited<ReturnType<Scene['server']['addPhone']>>
let group: ReturnType<Scene['server']['addGroup']>

beforeAll(async () => {
  scene = await setScene()
  bia = await scene.server.addPhone('5511922222222', { name: 'Bia' })
})
afterAll(() => scene.end())
beforeEach(() => {
  group = scene.server.addGroup('Entregas', [scene.phone, scene.ana, bia])
})

/** All of these are about the group of this test. */
const events = () => scene.host.heard.filter(one => one.chat.value === group.id)
const messages = () => scene.host.messages().filter(one => one.chat.value === group.id)
const receivedBy = (member: typeof bia) => member.received().filter(one => one.chat === group.id)
const chat = () => ({ kind: 'group' as const, value: group.id })

test('what members write in a group is heard with its name and who wrote', async () => {
  await scene.ana.write(group.id, 'Chegou a encomenda?')
  await bia.write(group.id, 'Ainda não')
  await scene.ana.write(group.id, 'Ok')
  await until('all of them', () => messages().length === 3)
  expect(messages().map(({ body, author }) => [author?.name, body])).toEqual([
    ['Ana', 'Chegou a encomenda?'],
    ['Bia', 'Ainda não'],
    ['Ana', 'Ok'],
  ])
  expect(messages()[0]).toMatchObject({
    chat: chat(),
    name: 'Entregas',
    fromMe: false,
    author: { kind: 'lid', value: scene.ana.account.lid, also: { kind: 'phone', value: ANA } },
  })
  await until('the receipts', () => scene.server.owed(SHOP) === 0)
  expect(scene.server.tally.retries.size).toBe(0)
})

test('every member gets what is sent to the group, and the first receipt says that it arrived', async () => {
  const { id, outcome } = await scene.say('Entrega às 15h', chat())
  expect(outcome).toEqual({ is: 'sent' })
  await until('both', () => [scene.ana, bia].every(member => receivedBy(member).length === 1))
  expect(receivedBy(bia)[0]).toMatchObject({
    id,
    chat: group.id,
    from: SHOP,
    text: 'Entrega às 15h',
    times: 1,
  })
  await until('the delivery', () => scene.host.acks(id).some(({ ack }) => ack === 3))
  const second = await scene.say('Confirmado', chat())
  expect(second.outcome).toEqual({ is: 'sent' })
  await until('the second', () => receivedBy(bia).length === 2)
})

test('what the owner writes in a group by hand is ours', async () => {
  scene.phone.goOnline()
  await scene.phone.write(group.id, 'Estou a caminho')
  const typed = await until('the message', () => messages()[0])
  expect(typed).toMatchObject({ chat: chat(), fromMe: true, body: 'Estou a caminho', name: 'Entregas' })
  scene.phone.goOffline()
})

test('a group message that arrives damaged is a placeholder, asked for again, and heard once', async () => {
  await scene.ana.write(group.id, 'primeira')
  await until('the first', () => messages().length === 1)
  scene.server.faults.corrupt(SHOP)
  await scene.ana.write(group.id, 'estragada')
  await until('the repetition', () => messages().length >= 3)
  await scene.ana.write(group.id, 'depois')
  await until('the next', () => messages().length >= 4)
  expect(messages().map(({ body }) => body)).toEqual(['primeira', '', 'estragada', 'depois'])
  const [, placeholder, content] = messages()
  expect(placeholder).toMatchObject({ ...content, body: '', mediaType: 'ciphertext', at: expect.any(String) })
})

test('group messages that were missed are heard when the session comes back', async () => {
  await scene.ana.write(group.id, 'antes')
  await until('the first', () => messages().length === 1)
  await scene.session.close({ logout: false })
  for (const text of ['um', 'dois']) await scene.ana.write(group.id, text)
  await scene.reopen()
  await until('all of them', () => messages().length === 3)
  expect(messages().map(({ body, name }) => [body, name])).toEqual([
    ['antes', 'Entregas'],
    ['um', 'Entregas'],
    ['dois', 'Entregas'],
  ])
})

test('in a group, reactions, edits and deletions say whose message they are about', async () => {
  const id = await scene.ana.write(group.id, 'Chego às 15h')
  await until('the message', () => receivedBy(bia).length === 1)
  await bia.react(group.id, id, '👍')
  await scene.ana.edit(group.id, id, 'Chego às 16h')
  await scene.ana.revoke(group.id, id)
  const intake = () => events().filter(one => 'target' in one)
  await until('all three', () => intake().length === 3)
  const author = { kind: 'lid', value: scene.ana.account.lid }
  const whole = { ...author, also: { kind: 'phone', value: ANA } }
  expect(intake()).toMatchObject([
    {
      kind: 'reaction',
      chat: chat(),
      author: { name: 'Bia' },
      target: { externalId: id, author },
      emoji: '👍',
    },
    {
      kind: 'edit',
      chat: chat(),
      name: 'Ana',
      target: { externalId: id, author: whole },
      body: 'Chego às 16h',
    },
    { kind: 'delete', chat: chat(), target: { externalId: id, author: whole } },
  ])
})

test('in a group, what another wrote is deleted by an admin only; anybody else is only logged', async () => {
  const id = await scene.ana.write(group.id, 'Chego às 15h')
  await until('the message', () => receivedBy(bia).length === 1)
  await bia.answers.revoke(group.id, id)
  await until('the refusal', () => events().some(({ kind }) => kind === 'strange'))
  group.promote(bia)
  await until('the promotion', () => messages().some(({ mediaType }) => mediaType === 'chat_event'))
  await bia.answers.revoke(group.id, id)
  const { id: ours } = await scene.say('Já vai', chat())
  await until('our message', () => receivedBy(bia).some(one => one.id === ours))
  await bia.answers.revoke(group.id, ours)
  const deletions = () => events().filter(({ kind }) => kind === 'delete')
  await until('both', () => deletions().length === 2)
  expect(deletions()).toMatchObject([
    {
      target: { externalId: id, fromMe: false, author: { kind: 'lid', value: scene.ana.account.lid } },
      isAdmin: true,
    },
    { target: { externalId: ours, fromMe: true }, isAdmin: true },
  ])
})

test('a deletion by an admin that a process decrypted before it died is carried out by the next one', async () => {
  group.promote(bia)
  const id = await scene.ana.write(group.id, 'Chego às 15h')
  await until('the message', () => messages().some(({ body }) => body === 'Chego às 15h'))
  await until('an empty journal', () => journalled() === 0)
  scene.host.fault = what => {
    if (what === 'hear') throw new Error('the database is down')
  }
  await bia.answers.revoke(group.id, id)
  await until('the journal', () => journalled() === 1)
  await scene.session.close({ logout: false })
  scene.host.fault = () => {}
  await scene.reopen()
  const found = () => events().find(({ kind }) => kind === 'delete' || kind === 'strange')
  expect(await until('the deletion', found)).toMatchObject({ kind: 'delete', isAdmin: true })
})

test('a line that a process did not record before it died is recorded by the next one', async () => {
  const notices = () => [...scene.host.rows.keys()].filter(key => key.startsWith('group-notice ')).length
  scene.host.fault = what => {
    if (what === 'hear') throw new Error('the database is down')
  }
  group.rename('Entregas do dia')
  await until('its row', () => notices() === 1 && scene.server.owed(SHOP) === 0)
  await scene.session.close({ logout: false })
  scene.host.fault = () => {}
  await scene.reopen()
  await until('the line', () => messages().length === 1)
  expect(messages()).toMatchObject([{ mediaType: 'chat_event', body: 'Entregas do dia' }])
  await until('no row', () => notices() === 0)
})

const journalled = () => [...scene.host.rows.keys()].filter(key => key.startsWith('inbox-journal ')).length

test('what happens to a group is heard as lines of its chat, with who did it and whom it concerns', async () => {
  const caio = await scene.server.addPhone('5511933333333', { name: 'Caio' })
  group.rename('Entregas do dia')
  group.explain('Só avisos')
  group.add(caio)
  group.restrict(true)
  group.change('invite', { code: 'abc' })
  group.change('ephemeral', { expiration: '604800' })
  group.leave(bia)
  const lines = () => messages().filter(({ mediaType }) => mediaType === 'chat_event')
  await until('all of them', () => lines().length === 7)
  const person = ({ account }: typeof bia) => ({
    ...{ kind: 'lid', value: account.lid },
    also: { kind: 'phone', value: account.number },
  })
  expect(lines()).toMatchObject([
    { data: { what: 'subject' }, body: 'Entregas do dia', fromMe: true, name: 'Entregas do dia' },
    { data: { what: 'description' }, body: 'Só avisos' },
    { data: { what: 'added' }, mentions: [person(caio)] },
    { data: { what: 'adminsOnly' } },
    { data: { what: 'inviteLink' } },
    { data: { what: 'timerOn' }, body: '7 d' },
    {
      ...{ data: { what: 'left' }, fromMe: false, mentions: [person(bia)] },
      author: { kind: 'lid', value: bia.account.lid },
    },
  ])
})

test('a vote in a group is opened by the name of its voter, and mentions have both names of a member', async () => {
  const id = await scene.ana.write(group.id, { poll: { question: 'Qual?', options: ['a', 'b'], choices: 1 } })
  await until('the poll', () => receivedBy(bia).length === 1)
  await bia.answers.vote(group.id, id, ['b'])
  const vote = await until('the vote', () => events().find(({ kind }) => kind === 'answer'))
  expect(vote).toMatchObject({
    ...{ chat: chat(), author: { name: 'Bia' }, target: { externalId: id, fromMe: false } },
    answer: { to: 'poll', choices: [1] },
  })
  const { lid } = scene.ana.account
  await bia.write(group.id, `@${lid} viu?`, { mentions: [ANA] })
  const mention = await until('it', () => messages().find(({ mentions }) => mentions))
  expect(mention.mentions).toEqual([
    { kind: 'lid', value: lid, also: { kind: 'phone', value: ANA }, written: lid },
  ])
})

test('in a group, an answer, a reaction, an edit, a deletion and the blue ticks find their message', async () => {
  const theirs = await scene.ana.write(group.id, 'Chegou?')
  const { author } = await until('the message', () => messages()[0])
  const target = { externalId: theirs, fromMe: false, author: { kind: author!.kind, value: author!.value } }
  const { id } = await scene.send({ chat: chat(), body: 'Chegou', quoted: { ...target, body: 'Chegou?' } })
  const answer = await until('the answer', () => receivedBy(bia).find(one => one.id === id))
  expect(answer.quotes).toBe(theirs)
  expect(answer.message.extendedTextMessage?.contextInfo?.participant).toBe(`${author!.value}@lid`)
  const own = { externalId: id, fromMe: true }
  await scene.act({ chat: chat(), what: 'react', emoji: '📦', target })
  await scene.act({ chat: chat(), what: 'edit', body: 'Chegou já', target: own })
  await scene.act({ chat: chat(), what: 'delete', target: own })
  const intake = () => receivedBy(bia).filter(({ about }) => about)
  await until('all three', () => intake().length === 3)
  expect(intake().map(({ kind, about, text }) => [kind, about, text])).toEqual([
    ['reaction', theirs, '📦'],
    ['edit', id, 'Chegou já'],
    ['deletion', id, undefined],
  ])
  await scene.session.markRead(chat(), [target])
  await until('the blue ticks', () => scene.ana.statusOf(theirs) === 'read')
})

test('who is mentioned in what is sent is named by the address, for the phones to show their own name', async () => {
  const { lid: value } = bia.account
  const mentions = [
    { name: 'Bia', kind: 'lid' as const, value },
    { name: 'Bia Lima', kind: 'lid' as const, value: scene.ana.account.lid },
  ]
  const { id } = await scene.send({
    chat: chat(),
    body: 'Oi @Bia e @Bia Lima',
    content: { kind: 'text', mentions },
  })
  const shown = await until('it', () => receivedBy(bia).find(one => one.id === id))
  expect(shown.text).toBe(`Oi @${value} e @${scene.ana.account.lid}`)
  expect(shown.mentioned).toEqual([`${value}@lid`, `${scene.ana.account.lid}@lid`])
})

test('where messages of groups are not wanted, only those of people are heard', async () => {
  const { size } = scene.server.tally.retries
  scene.host.groups = false
  await scene.ana.write(group.id, 'no grupo')
  await bia.react(group.id, await bia.write(group.id, 'também'), '👍')
  const id = await scene.ana.write(SHOP, 'só para vocês')
  await until('the message', () => scene.host.messages().some(({ externalId }) => externalId === id))
  expect(events()).toEqual([])
  // Their keys were learnt all the same: they can be read when they are wanted again.
  scene.host.groups = true
  await bia.write(group.id, 'de novo')
  await until('the next', () => messages().some(({ body }) => body === 'de novo'))
  expect(scene.server.tally.retries.size).toBe(size)
})
