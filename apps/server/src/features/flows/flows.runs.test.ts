import { randomUUID } from 'node:crypto'
import { flowRunChannel, flows } from '@balcao/contract/flows.ts'
import { messages } from '@balcao/contract/messages.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newNumber } from '../../../testing/rows.ts'
import { picture, voice } from '../../../testing/samples.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { sql as tag } from '../../platform/postgres/sql.ts'
import { loadTicket } from '../tickets/tickets.queries.ts'
import { startFlow, stopFlow } from './flows.runs.actions.ts'

// flows are slow

let app: TestApp
let admin: Person
let stranger: Person
let whatsappId: number
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  stranger = await app.as('admin@outra.test')
  whatsappId = admin.user.whatsappId!
})
afterAll(() => app.close())

const says = (body: string) => ({ actionType: 'SendText', body })
const takes = (actionType: 'Composing' | 'Recording' | 'Delay', param: number) => ({ actionType, param })
const shop = () => app.platform.scopes.inCompany(admin.user.companyId)

async function attended() {
  const number = newNumber()
  await admin.get(simulator.write, { params: { whatsappId }, body: { number, name: 'Ana', body: 'Oi' } })
  const ticket = await until(async () => {
    const { tickets: found } = await admin.get(tickets.list, { query: { status: 'pending', showAll: true } })
    return found.find(one => one.contact.number === number)
  })
  const body = { status: 'open', queueId: admin.user.queues[0]!.id } as const
  await admin.get(tickets.change, { params: { ticketId: ticket.id }, body })
  return { number, ticketId: ticket.id, params: { ticketId: ticket.id } }
}

const aFlow = (
  flowActions: object[],
  files: ReturnType<typeof picture>[] = [],
  type: 'Bot' | 'Chat' = 'Chat',
) =>
  admin.get(flows.create, {
    body: { name: 'Boas-vindas', type, flowActions: JSON.stringify(flowActions) },
    files,
  })
const play = async (ticketId: number, flowActions: object[], files: ReturnType<typeof picture>[] = []) => {
  const { id: flowId } = await aFlow(flowActions, files)
  return (await admin.get(flows.start, { params: { ticketId }, body: { flowId } })).run!
}
const running = async (ticketId: number) => (await admin.get(flows.running, { params: { ticketId } })).run
const onPhone = async (number: string) =>
  (await admin.get(simulator.chat, { params: { whatsappId, number } })).filter(({ fromMe }) => fromMe)
const receivedOn = async (number: string) => (await onPhone(number)).map(({ body }) => body)
const written = async (ticketId: number) =>
  (await admin.get(messages.list, { params: { ticketId } })).messages.filter(
    ({ source }) => source === 'flow',
  )
const say = (ticketId: number, body: string) =>
  admin.get(messages.send, { params: { ticketId, companyId: admin.user.companyId }, body: { body } })

test('a flow says all it has to in its order, with the customer’s name, its file and its typing, and is over [OP-101, FLOW-023]', async () => {
  const { number, ticketId } = await attended()
  const pushes = await admin.subscribe(flowRunChannel)
  const elsewhere = await stranger.subscribe(flowRunChannel)
  const run = await play(
    ticketId,
    [
      takes('Composing', 3),
      says('Oi, {{cliente}}!'),
      { actionType: 'SendMedia', mediaFileName: 'foto.png', body: 'Veja' },
    ],
    [picture()],
  )
  expect(run).toMatchObject({ ticketId, name: 'Boas-vindas', user: { id: admin.user.id } })
  expect(await running(ticketId)).toEqual(run)
  expect((await written(ticketId)).every(({ dueAt }) => dueAt !== null)).toBe(true)
  await until(async () => {
    const phones = await admin.get(simulator.chats, { params: { whatsappId } })
    return phones.some(one => one.number === number && one.typing === 'composing')
  })
  await until(async () => (await receivedOn(number)).length === 2)
  expect(await receivedOn(number)).toEqual(['Oi, Ana!', 'Veja'])
  await until(async () => (await running(ticketId)) === null)
  await until(() => pushes.filter(one => one.ticketId === ticketId).length === 2)
  expect(pushes.filter(one => one.ticketId === ticketId)).toEqual([
    { ticketId, run },
    { ticketId, run: null },
  ])
  expect(elsewhere).toEqual([])
})

test('its file goes to many customers and stays theirs when the flow is deleted', async () => {
  const [one, two] = [await attended(), await attended()]
  const actions = [takes('Recording', 1), { actionType: 'SendMedia', mediaFileName: 'voz.ogg' }]
  const flow = await aFlow(actions, [voice()])
  const body = { flowId: flow.id }
  await admin.get(flows.start, { params: one.params, body })
  await admin.get(flows.start, { params: two.params, body })
  await admin.get(flows.remove, { params: body })
  const sent = await until(async () => {
    const all = [...(await written(one.ticketId)), ...(await written(two.ticketId))]
    return all.every(({ ack }) => ack > 1) && all
  })
  expect(sent.map(({ mediaUrl, media }) => [mediaUrl, media?.isVoice])).toEqual([
    [flow.flowActions[1]!.mediaUrl, true],
    [flow.flowActions[1]!.mediaUrl, true],
  ])
  await admin.get(tickets.remove, { params: one.params })
  // the job that asks who names it runs by now or soon: whenever it does, the second customer’s message names it
  expect((await admin.fetch(sent[1]!.mediaUrl!)).status).toBe(200)
  await admin.get(tickets.remove, { params: two.params })
  await until(async () => (await admin.fetch(sent[1]!.mediaUrl!)).status === 404)
})

test('the same start twice plays it once, and another flow is refused meanwhile', async () => {
  const { params, ticketId } = await attended()
  const flow = await aFlow([says('Um'), takes('Delay', 200), says('Dois')])
  const body = { flowId: flow.id, id: randomUUID() }
  const [first, again] = await Promise.all([
    admin.get(flows.start, { params, body }),
    admin.get(flows.start, { params, body }),
  ])
  expect(again).toEqual(first)
  expect(await written(ticketId)).toHaveLength(2)
  const other = await admin.call(flows.start, { params, body: { flowId: flow.id } })
  expect([other.status, other.body.error, other.body.details]).toEqual([
    409,
    'ERR_FLOW_RUNNING',
    { name: 'Boas-vindas' },
  ])
})

describe('a flow that is played', () => {
  const begun = async () => {
    const at = await attended()
    await play(at.ticketId, [
      says('Agora'),
      takes('Delay', 200),
      says('Depois'),
      takes('Delay', 9),
      says('Fim'),
    ])
    await until(async () => (await receivedOn(at.number)).length === 1)
    return at
  }
  const isOver = async (ticketId: number) => {
    expect(await running(ticketId)).toBeNull()
    expect((await written(ticketId)).map(({ body }) => body)).toEqual(['Agora'])
  }

  test('is stopped: what did not leave is as if it had not been written', async () => {
    const { ticketId, params } = await begun()
    expect(await admin.get(flows.stop, { params })).toEqual({ run: null })
    await isOver(ticketId)
  })

  test('ends with the conversation', async () => {
    const { ticketId, params } = await begun()
    await admin.get(tickets.change, { params, body: { status: 'closed' } })
    await isOver(ticketId)
  })

  test('gives way to what a person writes, and keeps its own distances', async () => {
    const { ticketId } = await begun()
    await app.database.transaction('', async sql => {
      await sql.execute(tag`update messages set due_at = due_at - interval '198 seconds',
        typing_from = typing_from - interval '198 seconds' where ticket_id = ${ticketId} and due_at is not null`)
    })
    await say(ticketId, 'Só um momento')
    const left = (await written(ticketId)).flatMap(({ dueAt }) => (dueAt ? Date.parse(dueAt) : []))
    expect(left).toHaveLength(2)
    expect(Math.min(...left)).toBeGreaterThan(Date.now() + 6_000)
    expect(Math.max(...left) - Math.min(...left)).toBe(9_000)
  })

  test('that could not leave for an hour says the rest with the distances that were meant', async () => {
    const { ticketId, number } = await begun()
    await app.database.transaction('', async sql => {
      await sql.execute(tag`update messages set due_at = due_at - interval '1 hour' where ticket_id = ${ticketId}
        and due_at is not null`)
    })
    await until(async () => (await written(ticketId)).filter(({ dueAt }) => dueAt === null).length === 2)
    const [fim] = (await written(ticketId)).filter(({ dueAt }) => dueAt !== null)
    expect(fim!.body).toBe('Fim')
    expect(Date.parse(fim!.dueAt!)).toBeGreaterThan(Date.now() + 3_000)
    expect(await receivedOn(number)).not.toContain('Fim')
  })
})

describe('a bot', () => {
  const startAt = () => new Date().toISOString()

  test('plays a flow once whatever it is told twice, and hears when it ends', async () => {
    const { ticketId, number } = await attended()
    const flow = await aFlow([says('Pelo robô'), takes('Delay', 100), says('Nunca')], [], 'Bot')
    const at = startAt()
    const start = () =>
      shop().transaction(async tx => startFlow(tx, (await loadTicket(tx, ticketId))!, flow.id, 'bot:1', at))
    expect([await start(), await start()]).toEqual([
      new Date(Date.parse(at) + 100_000).toISOString(),
      new Date(Date.parse(at) + 100_000).toISOString(),
    ])
    expect(await running(ticketId)).toMatchObject({ user: null })
    await until(async () => (await receivedOn(number)).length === 1)
    await say(ticketId, 'Aqui é a Marina')
    expect(await running(ticketId)).toBeNull()
    expect(await written(ticketId)).toHaveLength(1)
  })

  test('stops what it plays', async () => {
    const { ticketId } = await attended()
    const flow = await aFlow([takes('Delay', 100), says('Nunca')], [], 'Bot')
    await shop().transaction(async tx => {
      await startFlow(tx, (await loadTicket(tx, ticketId))!, flow.id, 'bot:3', startAt())
    })
    expect(await written(ticketId)).toHaveLength(1)
    await shop().transaction(tx => stopFlow(tx, ticketId))
    expect([await running(ticketId), await written(ticketId)]).toEqual([null, []])
  })

  test('plays one that only pauses, to its end', async () => {
    const { ticketId } = await attended()
    const flow = await aFlow([takes('Delay', 100)], [], 'Bot')
    const start = shop().transaction(async tx =>
      startFlow(tx, (await loadTicket(tx, ticketId))!, flow.id, 'bot:4', startAt()),
    )
    expect([typeof (await start), await written(ticketId)]).toEqual(['string', []])
  })

  test('is told when a flow is gone', async () => {
    const { ticketId } = await attended()
    const start = shop().transaction(async tx =>
      startFlow(tx, (await loadTicket(tx, ticketId))!, 2_000_000_000, 'bot:2', startAt()),
    )
    expect(await start).toBeNull()
  })
})

test('a flow is not played where it cannot be', async () => {
  const { params, ticketId } = await attended()
  const silent = await aFlow([takes('Delay', 3)])
  const bot = await aFlow([says('Oi')], [], 'Bot')
  const flow = await aFlow([says('Oi')])
  const start = async (flowId: number, who = admin) => {
    const { status, body } = await who.call(flows.start, { params, body: { flowId } })
    return [status, body.error, body.field]
  }
  expect(await start(silent.id)).toEqual([400, 'ERR_BAD_REQUEST', 'flowId'])
  expect(await start(bot.id)).toEqual([404, 'ERR_NOT_FOUND', 'flowId'])
  expect(await start(2_000_000_000)).toEqual([404, 'ERR_NOT_FOUND', 'flowId'])
  expect(await start(flow.id, stranger)).toEqual([404, 'ERR_NO_TICKET_FOUND', undefined])
  for (const route of [flows.running, flows.stop])
    expect((await stranger.call(route, { params })).status).toBe(404)
  await admin.get(tickets.change, { params, body: { status: 'closed' } })
  expect(await start(flow.id)).toEqual([409, 'ERR_TICKET_NOT_OPEN', undefined])
  expect(await running(ticketId)).toBeNull()
})
