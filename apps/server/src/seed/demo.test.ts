import { assignment } from '@balcao/contract/assignment.ts'
import { problemsOf } from '@balcao/contract/bots.checks.rules.ts'
import { scriptCommandOf, scriptOf, surroundingsOf } from '@balcao/contract/bots.script.rules.ts'
import { bots } from '@balcao/contract/bots.ts'
import { chat } from '@balcao/contract/chat.ts'
import { clients } from '@balcao/contract/clients.ts'
import { connections } from '@balcao/contract/connections.ts'
import { daysFrom } from '@balcao/contract/invoices.rules.ts'
import { invoices } from '@balcao/contract/invoices.ts'
import { mentions } from '@balcao/contract/mentions.ts'
import { messages } from '@balcao/contract/messages.ts'
import { addFigures, type Figures, NO_FIGURES } from '@balcao/contract/reports.rules.ts'
import { reports } from '@balcao/contract/reports.ts'
import { schedules } from '@balcao/contract/schedules.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { targets } from '@balcao/contract/targets.ts'
import { team } from '@balcao/contract/team.ts'
import { LAST_WORDS } from '@balcao/contract/tickets.rules.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openTestApp, type TestApp, until } from '../../testing/test-app.ts'
import { billAll } from '../features/invoices/invoices.jobs.ts'
import { rowsFrom, sql } from '../platform/postgres/sql.ts'
import { product } from '../product.ts'
import { firstStart } from './first-start.ts'
import { past } from './lume/past.ts'

vi.setConfig({ testTimeout: 30_000, hookTimeout: 240_000 })

let app: TestApp

beforeAll(async () => {
  app = await openTestApp({}, { product })
})
afterAll(() => app.close())

type Row = Record<string, unknown>
const rows = (query: string) =>
  app.platform.scopes.platform().transaction(tx => rowsFrom<Row>(tx, sql.raw(query)))
const one = async (query: string) => (await rows(query))[0]
const sumOf = (parts: { figures: Figures }[]) =>
  parts.reduce<Figures>((sum, { figures }) => addFigures(sum, figures), NO_FIGURES)
/** Of the last sixty days two hundred. */
const MANY = 760

test('the shop has two hundred contacts, and a protocol of its own for every ticket', async () => {
  const figures =
    await one(`select (select count(*)::int from contacts) as contacts, count(*)::int as tickets,
    max(last_protocol) as protocols, count(distinct protocol)::int as distinct
    from tickets join companies on companies.id = company_id`)
  expect(figures).toEqual({ contacts: 200, tickets: MANY, protocols: MANY, distinct: MANY })
})

test('in each of twelve months everybody served somebody in every queue, and the parts of the figures add up to them', async () => {
  const admin = await app.as('admin@balcao.test')
  const today = new Date().toLocaleDateString('en-CA', { timeZone: 'America/Sao_Paulo' })
  const ask = async (initialDate: string, finalDate: string) => {
    const query = { initialDate, finalDate }
    const { reportData: shown } = await admin.get(reports.dash, { query })
    expect((await admin.get(reports.attendances, { query })).reportData).toEqual(shown)
    return shown
  }
  const months = await Promise.all(
    Array.from({ length: 12 }, (_, ago) => daysFrom(today, -30 * ago)).map(end =>
      ask(daysFrom(end, -29), end),
    ),
  )
  for (const { figures, days, ...parts } of months) {
    expect(figures.closed).toBeGreaterThan(15)
    expect(figures.waitSeconds).toBeGreaterThan(0)
    for (const list of [days.map(day => ({ figures: day })), parts.dataUsers, parts.dataQueuesWitchPercent])
      expect(sumOf(list)).toEqual(figures)
    expect(sumOf(parts.dataConnections)).toEqual(figures)
    expect(parts.dataUsers.filter(({ countClosed }) => countClosed > 0)).toHaveLength(4)
    expect(parts.dataQueuesWitchPercent.filter(({ countClosed }) => countClosed > 0)).toHaveLength(3)
    expect(parts.dataTags.length).toBeGreaterThan(1)
  }
  for (const [place, { before }] of months.slice(0, -1).entries())
    expect(before).toEqual(months[place + 1]!.figures)
  const year = await ask(daysFrom(today, -359), today)
  expect(sumOf(months)).toEqual(year.figures)
  expect(sumOf(months.slice(0, 6)).closed).toBeGreaterThan(sumOf(months.slice(6)).closed)
})

test('three companies have each a plan of their own: one pays, one has to pay soon, one is late; the hourly job adds nothing', async () => {
  const operator = await app.as('master@balcao.test')
  const { companies } = await operator.get(clients.list)
  const today = new Date().toLocaleDateString('en-CA', { timeZone: 'America/Sao_Paulo' })
  const billed = async (email: string) => {
    const admin = await app.as(email)
    const [plan] = companies.find(({ id }) => id === admin.user.companyId)!.plan
    const { list, hasMore } = await admin.get(invoices.list, { params: { planId: plan!.id } })
    expect(hasMore).toBe(false)
    return { plan: plan!, list }
  }
  const emails = ['admin@balcao.test', 'admin@outra.test', 'admin@clinica.test']
  const all = await Promise.all(emails.map(billed))
  expect(all.map(({ plan }) => plan.name)).toEqual(['Corporativo', 'Primeiros passos', 'Padrão'])
  expect(all.map(({ list }) => [list.length, list[0]!.status])).toEqual([
    [14, 'PENDING'],
    [6, 'PENDING'],
    [4, 'OVERDUE'],
  ])
  expect(all.map(({ list }) => list[0]!.dueDate < today)).toEqual([false, false, true])
  for (const { plan, list } of all) {
    expect(list.slice(1).every(({ status, payDate }) => status === 'RECEIVED' && payDate! <= today)).toBe(
      true,
    )
    expect(list.every(({ value }) => value === plan.value1Month)).toBe(true)
    for (const [place, { startInvoicePeriod }] of list.slice(0, -1).entries())
      expect(startInvoicePeriod).toBe(daysFrom(list[place + 1]!.endInvoicePeriod, 1))
    expect(list.some(period => period.startInvoicePeriod <= today && today <= period.endInvoicePeriod)).toBe(
      true,
    )
  }
  await billAll(app.platform.scopes, app.platform.config, new Date())
  expect(await Promise.all(emails.map(billed))).toEqual(all)
})

test('no company has more people or numbers than its plan allows', async () => {
  const wrong = await rows(`select name from companies c where number_attendants <
      (select count(*) from users u where u.company_id = c.id)
    or number_conections < (select count(*) from whatsapps w where w.company_id = c.id)`)
  expect(wrong).toEqual([])
})

test('every attendant has conversations, and people wait with something unread', async () => {
  for (const email of ['atendente', 'caio', 'bianca', 'admin']) {
    const person = await app.as(`${email}@balcao.test`)
    const open = await person.get(tickets.list, { query: { status: 'open' } })
    expect(open.count).toBeGreaterThan(1)
    const waiting = await person.get(tickets.list, { query: { status: 'pending' } })
    expect(waiting.count).toBe(14)
    expect(waiting.tickets.every(ticket => ticket.unreadMessages > 0 && ticket.waitingSince)).toBe(true)
  }
})

test('a queue gives its tickets in turn and says why some wait; one colleague is there, one has a pause; targets run, were kept and missed', async () => {
  const admin = await app.as('admin@balcao.test')
  await until(async () =>
    (await admin.get(assignment.list)).assignments.some(({ waitingReason }) => waitingReason === 'allFull'),
  )
  const { users } = await admin.get(team.board)
  const states = users.map(({ state, online }) => [state, online])
  expect(states).toContainEqual(['available', true])
  expect(states).toContainEqual(['pause', false])
  const { queues } = await admin.get(targets.report)
  for (const which of ['kept', 'missed'] as const)
    expect(queues.reduce((sum, { firstReply }) => sum + firstReply[which], 0)).toBeGreaterThan(5)
  const running = await one(
    `select count(*)::int as many from tickets where targets #>> '{reply,state}' in ('running', 'paused')`,
  )
  expect(running!.many).toBeGreaterThan(3)
  const late = { status: 'pending', target: 'late', showAll: true } as const
  expect((await admin.get(tickets.list, { query: late })).count).toBeGreaterThan(0)
})

test('a conversation reads the same on the screen and on the phone', async () => {
  const marina = await app.as('atendente@balcao.test')
  const { tickets: open } = await marina.get(tickets.list, { query: { status: 'open' } })
  const ticket = open.find(({ lastMessageAck }) => lastMessageAck > 0)!
  const page = await marina.get(messages.list, { params: { ticketId: ticket.id } })
  // what colleagues noted is on no phone
  const written = page.messages.filter(({ isPrivate }) => !isPrivate)
  const shown = await marina.get(simulator.chat, {
    params: { whatsappId: ticket.whatsappId!, number: ticket.contact.number },
  })
  expect(shown.map(({ body }) => body)).toEqual(expect.arrayContaining(written.map(({ body }) => body)))
  expect(shown.at(-1)!.body).toBe(ticket.lastMessage)
})

test('the row of every ticket says what its messages say', async () => {
  const wrong = await rows(`select t.id from tickets t
    join lateral (select * from messages m where m.ticket_id = t.id and not m.is_private
      order by created_at desc, id desc limit 1) last on true
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
  expect((await one('select count(distinct ticket_id)::int as told from ticket_history'))!.told).toBe(MANY)
})

test('the counters equal the tickets', async () => {
  const wrong = await rows(`select * from (select company_id, status, queue_id, user_id, sum(tickets) as many
    from ticket_counts group by 1, 2, 3, 4) c where many <> (select count(*) from tickets t
    where t.company_id = c.company_id and t.status = replace(c.status, 'Snoozed', '')
      and (t.snoozed_until is not null) = (c.status like '%Snoozed') and coalesce(t.queue_id, 0) = c.queue_id
      and coalesce(t.user_id, 0) = c.user_id)`)
  expect(wrong).toEqual([])
})

test('the team of the shop has its inbox in order, and its customers are asked', async () => {
  const [figures] = await rows(`select
    (select count(*) from saved_views where shared)::int as shared, (select count(*) from saved_views where not shared)::int as own,
    (select count(*) from tickets where snoozed_until > now())::int as snoozed,
    (select count(*) from ticket_marks where pinned_at is not null)::int as pinned,
    (select count(*) from ticket_marks where followed_at is not null)::int as followed,
    (select count(*) from closing_reasons where active)::int as reasons,
    (select count(*) from survey_settings where enabled)::int as asks,
    (select count(distinct score) from surveys where answered_at > now() - interval '30 days')::int as scores`)
  expect(figures).toEqual({
    ...{ shared: 2, own: 2, snoozed: 1, pinned: 2, followed: 2, reasons: 5, asks: 1, scores: 5 },
  })
})

test('three schedules wait for their days, at the hours of the clock of the shop', async () => {
  const admin = await app.as('admin@balcao.test')
  const { schedules: found } = await admin.get(schedules.list, { query: { status: 'PENDENTE' } })
  const hours = found.map(({ sendAt }) =>
    new Date(sendAt).toLocaleTimeString('pt-BR', { timeZone: 'America/Sao_Paulo' }).slice(0, 5),
  )
  expect(hours.sort()).toEqual(['09:00', '10:00', '14:30'])
  expect(found.every(({ sendAt }) => Date.parse(sendAt) > Date.now())).toBe(true)
})

test('whoever writes to the second phone of the shop meets its bot, in which nothing is amiss', async () => {
  const admin = await app.as('admin@balcao.test')
  const lines = (await admin.get(connections.list)) as { id: number; name: string }[]
  const whatsappId = lines.find(({ name }) => name === 'Loja Online')!.id
  const number = '5571998765432'
  const ask = async (body: string, said: number) => {
    await admin.get(simulator.write, { params: { whatsappId }, body: { number, name: 'Rita', body } })
    const received = async () =>
      (await admin.get(simulator.chat, { params: { whatsappId, number } })).filter(({ fromMe }) => fromMe)
    return (await until(async () => (await received()).length >= said && (await received()), 20_000)).at(-1)!
      .body
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

test('the admin finds mentions and messages of colleagues that are not read', async () => {
  const helena = await app.as('admin@balcao.test')
  const { mentions: named, unread } = await helena.get(mentions.list)
  expect([named.length, unread]).toEqual([2, 2])
  const { rooms, unread: written } = await helena.get(chat.rooms)
  expect(rooms.map(one => [one.name, one.unread])).toEqual(
    expect.arrayContaining([
      ['Time da loja', 3],
      ['Marina Duarte', 1],
    ]),
  )
  expect(written).toBe(4)
  const params = { ticketId: named[0]!.ticketId }
  const talk = await helena.get(messages.list, { params })
  expect(talk.messages.filter(({ isPrivate }) => isPrivate)).not.toEqual([])
})

test('a second start changes nothing', async () => {
  const figures = () =>
    one(`select (select count(*) from messages) as messages, (select count(*) from tickets) as tickets,
      (select count(*) from users) as users, (select max(updated_at) from tickets) as newest`)
  const before = await figures()
  await firstStart(app.platform)
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

test('few write at night and on Sundays, and most in November', () => {
  const story = past(Date.parse('2026-08-20T15:00:00Z'), ['Helena', 'Marina', 'Caio', 'Bianca'])
  const there = story.map(({ createdAt }) => new Date(createdAt - 3 * 3_600_000))
  const many = (test: (at: Date) => boolean) => there.filter(test).length
  expect(many(at => at.getUTCHours() < 7 || at.getUTCHours() > 20)).toBeLessThan(MANY / 12)
  expect(many(at => at.getUTCDay() === 0)).toBeLessThan(many(at => at.getUTCDay() === 1) / 3)
  const ofMonth = (month: number) => many(at => at.getUTCMonth() === month)
  for (const month of [8, 9, 11, 0]) expect(ofMonth(month)).toBeLessThan(ofMonth(10))
})

test('the story is the same on every machine', () => {
  const now = Date.parse('2024-06-12T15:00:00Z')
  const team = ['Helena Prado', 'Marina Duarte', 'Caio Ribeiro', 'Bianca Souza']
  expect(past(now, team)).toEqual(past(now, team))
})
