import { until } from '@balcao/whatsapp-server/wait.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ANA, type Scene, SHOP, setScene } from '../../../testing/whatsapp.ts'

let scene: Scene
let bia: Awaited<ReturnType<Scene['server']['addPhone']>>
let group: { id: string }

beforeEach(async () => {
  scene = await setScene()
  bia = await scene.server.addPhone('5511922222222', { name: 'Bia' })
  group = scene.server.addGroup('Entregas', [scene.phone, scene.ana, bia])
})
afterEach(() => scene.end())

const messages = () => scene.door.messages()
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
  await until('the delivery', () => scene.door.acks(id).some(({ ack }) => ack === 3))
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
