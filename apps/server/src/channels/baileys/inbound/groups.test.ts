import { until } from '@balcao/whatsapp-server/wait.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ANA, type Scene, SHOP, setScene } from '../../../../testing/whatsapp.ts'

let scene: Scene
let bia: Awaited<ReturnType<Scene['server']['addPhone']>>
let group: { id: string }

beforeEach(async () => {
  scene = await setScene()
  bia = await scene.server.addPhone('5511922222222', { name: 'Bia' })
  group = scene.server.addGroup('Entregas', [scene.phone, scene.ana, bia])
})
afterEach(() => scene.end())

const messages = () => scene.host.messages()
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
  await until('both', () => [scene.ana, bia].every(member => member.received().length === 1))
  expect(bia.received()[0]).toMatchObject({
    id,
    chat: group.id,
    from: SHOP,
    text: 'Entrega às 15h',
    times: 1,
  })
  await until('the delivery', () => scene.host.acks(id).some(({ ack }) => ack === 3))
  const second = await scene.say('Confirmado', chat())
  expect(second.outcome).toEqual({ is: 'sent' })
  await until('the second', () => bia.received().length === 2)
})

test('what the owner writes in a group by hand is ours', async () => {
  scene.phone.goOnline()
  await scene.phone.write(group.id, 'Estou a caminho')
  const typed = await until('the message', () => messages()[0])
  expect(typed).toMatchObject({ chat: chat(), fromMe: true, body: 'Estou a caminho', name: 'Entregas' })
})

test('a group message that arrives damaged is asked for again and heard once', async () => {
  await scene.ana.write(group.id, 'primeira')
  await until('the first', () => messages().length === 1)
  scene.server.faults.corrupt(SHOP)
  await scene.ana.write(group.id, 'estragada')
  await until('the repetition', () => messages().length >= 2)
  await scene.ana.write(group.id, 'depois')
  await until('the next', () => messages().length >= 3)
  expect(messages().map(({ body }) => body)).toEqual(['primeira', 'estragada', 'depois'])
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
  await until('the message', () => bia.received().length === 1)
  await bia.react(group.id, id, '👍')
  await scene.ana.edit(group.id, id, 'Chego às 16h')
  await scene.ana.revoke(group.id, id)
  const intake = () => scene.host.heard.filter(one => 'target' in one)
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

test('in a group, an answer, a reaction, an edit, a deletion and the blue ticks find their message', async () => {
  const theirs = await scene.ana.write(group.id, 'Chegou?')
  const { author } = await until('the message', () => messages()[0])
  const target = { externalId: theirs, fromMe: false, author: { kind: author!.kind, value: author!.value } }
  const { id } = await scene.send({ chat: chat(), body: 'Chegou', quoted: { ...target, body: 'Chegou?' } })
  const answer = await until('the answer', () => bia.received().find(one => one.id === id))
  expect(answer.quotes).toBe(theirs)
  expect(answer.message.extendedTextMessage?.contextInfo?.participant).toBe(`${author!.value}@lid`)
  const own = { externalId: id, fromMe: true }
  await scene.act({ chat: chat(), what: 'react', emoji: '📦', target })
  await scene.act({ chat: chat(), what: 'edit', body: 'Chegou já', target: own })
  await scene.act({ chat: chat(), what: 'delete', target: own })
  const intake = () => bia.received().filter(({ about }) => about)
  await until('all three', () => intake().length === 3)
  expect(intake().map(({ kind, about, text }) => [kind, about, text])).toEqual([
    ['reaction', theirs, '📦'],
    ['edit', id, 'Chegou já'],
    ['deletion', id, undefined],
  ])
  await scene.session.markRead(chat(), [target])
  await until('the blue ticks', () => scene.ana.statusOf(theirs) === 'read')
})

test('where messages of groups are not wanted, only those of people are heard', async () => {
  scene.host.groups = false
  await scene.ana.write(group.id, 'no grupo')
  await bia.react(group.id, await bia.write(group.id, 'também'), '👍')
  const id = await scene.ana.write(SHOP, 'só para vocês')
  await until('the message', () => messages().some(({ externalId }) => externalId === id))
  expect(scene.host.heard.filter(one => one.chat.kind === 'group')).toEqual([])
  // Their keys were learnt all the same: they can be read when they are wanted again.
  scene.host.groups = true
  await bia.write(group.id, 'de novo')
  await until('the next', () => messages().some(({ body }) => body === 'de novo'))
  expect(scene.server.tally.retries.size).toBe(0)
})
