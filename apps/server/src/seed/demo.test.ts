import { problemsOf } from '@balcao/contract/bots.checks.rules.ts'
import { scriptCommandOf, scriptOf, surroundingsOf } from '@balcao/contract/bots.script.rules.ts'
import { bots } from '@balcao/contract/bots.ts'
import { connections } from '@balcao/contract/connections.ts'
import { messages } from '@balcao/contract/messages.ts'
import { schedules } from '@balcao/contract/schedules.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { LAST_WORDS } from '@balcao/contract/tickets.rules.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openWorld, until, type World } from '../../testing/world.ts'
import { sql } from '../platform/sql.ts'
import { product } from '../product.ts'
import { firstStart } from './first-start.ts'
import { past } from './lume/past.ts'

vi.setConfig({ testTimeout: 30_000, hookTimeout: 60_000 })

let world: World

beforeAll(async () => {
  world = await openWorld({}, { product })
})
afterAll(() => world.close())

type Row = Record<string, unknown>
const rows = async (query: string) => {
  const run = world.platform.scopes.platform().transaction(tx => tx.execute(sql.raw(query)))
  return ((await run) as unknown as { rows: Row[] }).rows
}
const one = async (query: string) => (await rows(query))[0]

test('the shop has two hundred contacts, as many tickets and as many protocols', async () => {
  const figures =
    await one(`select (select count(*)::int from contacts) as contacts, count(*)::int as tickets,
    max(last_protocol) as protocols, count(distinct protocol)::int as distinct
    from tickets join companies on companies.id = company_id`)
  expect(figures).toEqual({ contacts: 200, tickets: 200, protocols: 200, distinct: 200 })
})

test('every attendant has conversations, and people wait with something unread', async () => {
  for (const email of ['atendente', 'caio', 'bianca', 'admin']) {
    const person = await world.as(`${email}@balcao.test`)
    const open = await person.get(tickets.list, { query: { status: 'open' } })
    expect(open.count).toBeGreaterThan(1)
    const waiting = await person.get(tickets.list, { query: { status: 'pending' } })
    expect(waiting.count).toBe(14)
    expect(waiting.tickets.every(ticket => ticket.unreadMessages > 0 && ticket.waitingSince)).toBe(true)
  }
})

test('a conversation reads the same on the screen and on the phone', async () => {
  const marina = await world.as('atendente@balcao.test')
  const { tickets: open } = await marina.get(tickets.list, { query: { status: 'open' } })
  const ticket = open.find(({ lastMessageAck }) => lastMessageAck > 0)!
  const page = await marina.get(messages.list, { params: { ticketId: ticket.id } })
  const shown = await marina.get(simulator.chat, {
    params: { whatsappId: ticket.whatsappId!, number: ticket.contact.number },
  })
  expect(shown.map(({ body }) => body)).toEqual(expect.arrayContaining(page.messages.map(({ body }) => body)))
  expect(shown.at(-1)!.body).toBe(ticket.lastMessage)
})

test('the row of every ticket says what its messages say', async () => {
  const wrong = await rows(`select t.id from tickets t
    join lateral (select * from messages m where m.ticket_id = t.id order by created_at desc, id desc limit 1) last on true
    where t.last_message_id <> last.id or t.last_message <> left(last.body, ${LAST_WORDS}) or t.last_message_ack <> last.ack
      or t.unread_messages <> (select count(*) from messages m where m.ticket_id = t.id and not m.read)
      or t.updated_at < last.created_at or t.updated_at > now()
      or t.created_at <> (select min(created_at) from messages m where m.ticket_id = t.id)
      or (t.status = 'closed') <> (t.closed_at is not null)`)
  expect(wrong).toEqual([])
})

test('the history of every ticket leads from nothing to where it stands, step by step', async () => {
  const wrong = await rows(`with steps as (
      select *, lag(to_status) over w as s, lag(to_user_id) over w as u, lag(to_queue_id) over w as q,
        lead(id) over w is null as last from ticket_history window w as (partition by ticket_id order by at, id))
    select t.id from tickets t join steps h on h.ticket_id = t.id
    where (h.from_status, h.from_user_id, h.from_queue_id) is distinct from (h.s, h.u, h.q)
      or h.last and (h.to_status, h.to_user_id, h.to_queue_id) is distinct from (t.status, t.user_id, t.queue_id)`)
  expect(wrong).toEqual([])
  expect((await one('select count(distinct ticket_id)::int as told from ticket_history'))!.told).toBe(200)
})

test('the counters equal the tickets', async () => {
  const wrong = await rows(`select * from (select company_id, status, queue_id, user_id, sum(tickets) as many
    from ticket_counts group by 1, 2, 3, 4) c where many <> (select count(*) from tickets t
    where t.company_id = c.company_id and t.status = c.status and coalesce(t.queue_id, 0) = c.queue_id
      and coalesce(t.user_id, 0) = c.user_id)`)
  expect(wrong).toEqual([])
})

test('three schedules wait for their days, at the hours of the clock of the shop', async () => {
  const admin = await world.as('admin@balcao.test')
  const { schedules: found } = await admin.get(schedules.list, { query: { status: 'PENDENTE' } })
  const hours = found.map(({ sendAt }) =>
    new Date(sendAt).toLocaleTimeString('pt-BR', { timeZone: 'America/Sao_Paulo' }).slice(0, 5),
  )
  expect(hours.sort()).toEqual(['09:00', '10:00', '14:30'])
  expect(found.every(({ sendAt }) => Date.parse(sendAt) > Date.now())).toBe(true)
})

test('whoever writes to the second phone of the shop meets its bot, in which nothing is amiss', async () => {
  const admin = await world.as('admin@balcao.test')
  const lines = (await admin.get(connections.list)) as { id: number; name: string }[]
  const whatsappId = lines.find(({ name }) => name === 'Loja Online')!.id
  const number = '5571998765432'
  const ask = async (body: string, said: number) => {
    await admin.get(simulator.write, { params: { whatsappId }, body: { number, name: 'Rita', body } })
    const heard = async () =>
      (await admin.get(simulator.chat, { params: { whatsappId, number } })).filter(({ fromMe }) => fromMe)
    return (await until(async () => (await heard()).length >= said && (await heard()), 20_000)).at(-1)!.body
  }
  expect(await ask('oi', 1)).toContain('Olá, Rita! Sou a Lua')
  expect(await ask('2', 2)).toContain('Qual é o número do pedido?')
  expect(await ask('4711', 3)).toContain('Anotei o pedido 4711')
  const [setup] = (await admin.get(bots.listSetups)).botSetups
  const script = await admin.get(bots.script, { params: { botSetupId: setup!.id } })
  const commands = script.commands.map(scriptCommandOf)
  expect(commands.some(({ flowId }) => flowId !== null)).toBe(true)
  expect(problemsOf(scriptOf(script.setup, commands, surroundingsOf(script.around)))).toEqual([])
})

test('a second start changes nothing', async () => {
  const figures = () =>
    one(`select (select count(*) from messages) as messages, (select count(*) from tickets) as tickets,
      (select count(*) from users) as users, (select max(updated_at) from tickets) as newest`)
  const before = await figures()
  await firstStart(world.platform)
  expect(await figures()).toEqual(before)
})

test('whatever the day, nothing happens to a ticket before what led to it', () => {
  const team = ['Helena Prado', 'Marina Duarte', 'Caio Ribeiro', 'Bianca Souza']
  for (let day = 1; day <= 28; day++)
    for (const { moves, uuid } of past(Date.parse('2026-02-01T15:00:00Z') + day * 86_400_000, team)) {
      const times = moves.map(({ at }) => at)
      expect(times, uuid).toEqual(times.toSorted((a, b) => a - b))
    }
})

test('the story is the same on every machine', () => {
  const now = Date.parse('2024-06-12T15:00:00Z')
  const team = ['Helena Prado', 'Marina Duarte', 'Caio Ribeiro', 'Bianca Souza']
  expect(past(now, team)).toEqual(past(now, team))
})
