import { botSessionChannel, bots } from '@balcao/contract/bots.ts'
import { WORDS } from '@balcao/contract/bots.words.rules.ts'
import { businessHours } from '@balcao/contract/businessHours.ts'
import { connections } from '@balcao/contract/connections.ts'
import { flows } from '@balcao/contract/flows.ts'
import { ChoiceData } from '@balcao/contract/media.ts'
import { messages } from '@balcao/contract/messages.ts'
import { tags } from '@balcao/contract/tags.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type HookListener, openListener, signedAs } from '../../../testing/listener.ts'
import { newNumber, rowsOf } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { and, eq } from '../../platform/postgres/sql.ts'
import { receiveMessage } from '../messages/inbound/inbound.actions.ts'
import { botSessions } from './bots.table.ts'
import { endWait } from './bots.turn.actions.ts'

let app: TestApp
let admin: Person
let marina: Person
let stranger: Person
let whatsappId: number
let queueId: number
let tagId: number
let listener: HookListener

let botSetupId: number
beforeAll(async () => {
  listener = await openListener('/aviso', 500)
  app = await openTestApp({ OUTBOUND_ALLOW: '127.0.0.1' })
  admin = await app.as('admin@balcao.test')
  marina = await app.as('atendente@balcao.test')
  stranger = await app.as('admin@outra.test')
  whatsappId = await rowsOf(app, admin).connection()
  queueId = admin.user.queues[0]!.id
  tagId = (await admin.get(tags.create, { body: { name: 'Pedido' } })).id
  botSetupId = (
    await admin.get(bots.addSetup, {
      body: {
        ...{ name: 'Loja', typingTime: '1', burstSeconds: 0 },
        ...{ whatsapps: [whatsappId], messageOnErrorsBot: 'Digite #' },
      },
    })
  ).id
  await add({ commandBot: '1', commandType: 3, descriptionBot: 'Vendas', queueId, showMessage: 'Já vem.' })
  await add({
    commandBot: '2',
    commandType: 7,
    descriptionBot: 'Pedido',
    showMessage: 'Qual?',
    forceNextFlow: '3',
    tags: [tagId],
  })
  await add({ commandBot: '3', commandType: 1, showMessage: 'Anotei {{resposta}}.', webhook: listener.url })
  await add({ commandBot: '4', commandType: 5, descriptionBot: 'Sair', showMessage: 'Até logo.' })
  await add({ commandBot: '5', commandType: 6, descriptionBot: 'Mais', showMessage: 'O quê?' })
  await add({ commandBot: '5.1', commandType: 1, descriptionBot: 'Isto', showMessage: 'Isto é isto.' })
})
afterAll(async () => {
  listener.close()
  await app.close()
})

const add = (body: object) =>
  admin.get(bots.addCommand, { params: { companyId: admin.user.companyId }, body: { botSetupId, ...body } })
const scope = () => app.platform.scopes.inCompany(admin.user.companyId)
const menu = '*1* - Vendas\n*2* - Pedido\n*4* - Sair\n*5* - Mais'

/** A customer with a phone of his own. */
function customer(number = newNumber(), line = whatsappId) {
  let ticketId = 0
  let last = 0
  const write = async (body: string, more: object = {}) => {
    const pushes = {
      kind: 'message' as const,
      chat: { kind: 'phone' as const, value: number },
      externalId: `BOT${number}${++last}`,
      fromMe: false,
      name: 'Rita',
      body,
      mediaType: null,
      at: new Date().toISOString(),
      ...more,
    }
    ticketId = (await scope().transaction(tx => receiveMessage(tx, line, pushes))) ?? ticketId
    return ticketId
  }
  // positions are assigned in the order in which messages leave
  const leaves = ({ dueAt, createdAt }: { dueAt: string | null; createdAt: string }) => dueAt ?? createdAt
  const sent = async () =>
    (await admin.get(messages.list, { params: { ticketId } })).messages
      .filter(({ source }) => source === 'bot')
      .sort((a, b) => (leaves(a) < leaves(b) ? -1 : 1))
  return {
    write,
    sent,
    heard: () => until(async () => (await sent()).every(({ dueAt }) => dueAt === null)),
    ask: async (body: string) => {
      const before = new Set(ticketId ? (await sent()).map(({ id }) => id) : [])
      await write(body)
      return (await sent()).filter(({ id }) => !before.has(id)).map(one => one.body)
    },
    ticket: () => admin.get(tickets.show, { params: { ticketId } }),
    session: async () => (await admin.get(bots.showSession, { params: { ticketId } })).session,
    ticketId: () => ticketId,
  }
}

const sessionOf = (ticketId: number) =>
  and(eq(botSessions.companyId, admin.user.companyId), eq(botSessions.ticketId, ticketId))
const dueOf = (ticketId: number) =>
  scope().read(
    async tx =>
      (await tx.sql.select({ dueAt: botSessions.dueAt }).from(botSessions).where(sessionOf(ticketId)))[0]!
        .dueAt,
  )
/** The end of a burst, or of the wait for a choice. */
const makeDue = (ticketId: number) =>
  app.database.script(`update bot_sessions set due_at = case when burst_at is null then now() - interval '1 second' end,
    burst_at = burst_at - interval '1 hour' where ticket_id = ${ticketId}`)
/** The replies of the bot left an hour ago. */
const haveLeft = (ticketId: number) =>
  app.database.script(`update messages set waits = false, outbox = null, ack = 2, due_at = null, typing_from = null,
    created_at = created_at - interval '1 hour' where ticket_id = ${ticketId} and from_me`)

test('who writes first meets the menu alone; a sector gets the ticket, and after it only # is heard [BOTCMD-024]', async () => {
  const rita = customer()
  expect(await rita.ask('oi')).toEqual([menu])
  expect(await rita.ask('1')).toEqual(['Já vem.'])
  expect(await rita.ticket()).toMatchObject({ status: 'pending', queueId })
  expect([await rita.ask('alô?'), await rita.ask('#')]).toEqual([[], [menu]])
})

test('outside the hours who is handed over to people gets the message for it once, and not while the bot answers', async () => {
  const closed = [{ weekday: (new Date().getUTCDay() + 3) % 7, opens: 600, closes: 660 }]
  await admin.get(businessHours.change, { body: { hours: closed, holidays: [] } })
  await app.database.script(`update whatsapps set out_of_hours_message = 'Fechado' where id = ${whatsappId}`)
  try {
    const rita = customer()
    const told = async () =>
      (await admin.get(messages.list, { params: { ticketId: rita.ticketId() } })).messages.filter(
        ({ body }) => body === 'Fechado',
      ).length
    await rita.write('oi')
    expect(await told()).toBe(0)
    expect(await rita.ask('1')).toEqual(['Já vem.'])
    expect(await told()).toBe(1)
    await rita.write('alô?')
    expect(await told()).toBe(1)
    await app.database.script(`update tickets set out_of_hours_at = null where id = ${rita.ticketId()}`)
    await rita.write('alguém?')
    expect(await told()).toBe(2)
  } finally {
    await admin.get(businessHours.change, { body: { hours: [], holidays: [] } })
    await app.database.script(`update whatsapps set out_of_hours_message = '' where id = ${whatsappId}`)
  }
})

test('each answer waits behind the other for as long as it takes to type, and leaves once', async () => {
  const rita = customer()
  await rita.write('oi')
  const [first] = await rita.sent()
  expect(first).toMatchObject({ source: 'bot', user: null, dueAt: expect.any(String) })
  await until(async () => (await rita.sent())[0]!.ack > 1)
  expect((await rita.sent()).map(({ body }) => body)).toEqual([menu])
})

test('a question keeps its answer, which the attendant reads; its command puts on tags and tells another system, again until it listens [BOTCMD-020, BOTCMD-024]', async () => {
  const rita = customer()
  await rita.write('oi')
  expect(await rita.ask('2')).toEqual(['Qual?'])
  expect((await rita.ticket()).tags.map(({ id }) => id)).toEqual([tagId])
  await rita.heard()
  expect(await rita.ask('0042')).toEqual(['Anotei 0042.'])
  expect(await rita.session()).toMatchObject({
    mode: 'menu',
    answers: [{ number: '2', question: 'Qual?', text: '0042' }],
  })
  await until(() => listener.heard.length > 0)
  const params = { botSetupId }
  const [failed] = await until(async () => {
    const { calls: log } = await admin.get(bots.listCalls, { params })
    return log[0]?.status === 500 && log
  })
  expect(failed).toMatchObject({ state: 'waiting', attempts: 1, dueAt: expect.any(String) })
  listener.status = 204
  await admin.get(bots.callAgain, { params: { callId: failed!.id } })
  await until(async () => (await admin.get(bots.listCalls, { params })).calls[0]!.state === 'done')
  const call = listener.heard.at(-1)!
  expect(JSON.parse(call.body)).toMatchObject({
    type: 'bot.command',
    data: { answer: '0042', ticket: { id: rita.ticketId() }, contact: { name: 'Rita' } },
  })
  const { secret } = await admin.get(bots.showSecret, { params })
  expect(call.headers['webhook-signature']).toBe(signedAs(call, secret))
  expect(call.headers['webhook-id']).toBe(failed!.id)
})

test('buttons are real where the network has them, and what is tapped is understood', async () => {
  const rita = customer()
  await rita.write('oi')
  await rita.write('5')
  const offer = (await rita.sent()).at(-1)!
  expect([offer.body, ChoiceData.parse(JSON.parse(offer.dataJson!)).choices]).toEqual(['O quê?', ['Isto']])
  expect(await rita.ask('Isto')).toEqual(['Isto é isto.'])
})

test('resolving says its word and closes; the next word is a new conversation [BOTCMD-024]', async () => {
  const rita = customer()
  await rita.write('oi')
  expect(await rita.ask('sair')).toEqual(['Até logo.'])
  expect(await rita.ticket()).toMatchObject({ status: 'closed' })
  const former = rita.ticketId()
  await rita.write('oi')
  expect(rita.ticketId()).not.toBe(former)
  expect((await rita.sent()).map(({ body }) => body)).toContain(menu)
})

test('a ticket that a bot leads says so, and is filtered by it, until people have it', async () => {
  const rita = customer()
  await rita.write('oi')
  expect(await rita.ticket()).toMatchObject({ status: 'pending', withBot: true })
  const isAmong = async (bot: 'only' | 'without', who = admin) => {
    const query = { status: 'pending' as const, showAll: true, bot }
    const page = await who.get(tickets.list, { query })
    return page.tickets.some(({ id }) => id === rita.ticketId())
  }
  expect([await isAmong('only'), await isAmong('without'), await isAmong('only', stranger)]).toEqual([
    true,
    false,
    false,
  ])
  await rita.write('1')
  expect(await rita.ticket()).toMatchObject({ queueId, withBot: false })
  expect([await isAmong('only'), await isAmong('without')]).toEqual([false, true])
  await rita.write('#')
  expect((await rita.ticket()).withBot).toBe(true)
  await marina.get(tickets.change, { params: { ticketId: rita.ticketId() }, body: { status: 'open' } })
  expect((await rita.ticket()).withBot).toBe(false)
})

test('a ticket waits for people again when its bot leaves its connection, or the connection is removed', async () => {
  const lines = [await rowsOf(app, admin).connection(), await rowsOf(app, admin).connection()]
  const lead = (whatsapps: number[]) =>
    admin.get(bots.changeSetup, { params: { botSetupId }, body: { whatsapps } })
  await lead([whatsappId, ...lines])
  const [rita, moved, ended, elsewhere] = [
    customer(),
    customer(undefined, lines[0]),
    customer(undefined, lines[1]),
    customer(),
  ]
  for (const one of [rita, moved, ended]) {
    await one.write('oi')
    expect((await one.ticket()).withBot).toBe(true)
  }
  await lead(lines)
  expect((await rita.ticket()).withBot).toBe(false)
  await admin.get(connections.remove, { params: { whatsappId: lines[0]! }, query: { heirId: whatsappId } })
  expect(await moved.ticket()).toMatchObject({ whatsappId, status: 'pending', withBot: false })
  await admin.get(connections.remove, { params: { whatsappId: lines[1]! }, query: { closeTickets: true } })
  expect(await ended.ticket()).toMatchObject({ status: 'closed', withBot: false })
  expect(await ended.session()).toMatchObject({ mode: 'over' })
  await lead([whatsappId])
  await elsewhere.write('oi')
  expect((await elsewhere.ticket()).withBot).toBe(true)
})

test('the hours until a bot comes back begin with the closing, however long a person attended', async () => {
  const rita = customer()
  await rita.write('oi')
  const params = { ticketId: rita.ticketId() }
  await marina.get(tickets.change, { params, body: { status: 'open', queueId } })
  await app.database.script(`update bot_sessions set state = jsonb_set(state, '{silentSince}', '1000')
    where ticket_id = ${rita.ticketId()}`)
  const began = Date.now()
  await marina.get(tickets.change, { params, body: { status: 'closed' } })
  const session = await rita.session()
  expect(session).toMatchObject({ mode: 'over' })
  expect(Date.parse(session!.silentSince!)).toBeGreaterThanOrEqual(began)
})

test('a person who accepts is not talked over: what waited is taken back, and the bot is silent until it is given back', async () => {
  const rita = customer()
  await rita.write('oi')
  await rita.write('2')
  const params = { ticketId: rita.ticketId() }
  await admin.get(tickets.change, { params, body: { status: 'open', queueId } })
  expect((await rita.sent()).filter(({ dueAt }) => dueAt !== null)).toEqual([])
  expect(await rita.ask('0042')).toEqual([])
  expect(await rita.session()).toMatchObject({ mode: 'stopped', number: '2' })
  await admin.get(tickets.change, { params, body: { status: 'pending' } })
  expect(await rita.ask('alô?')).toEqual([])
  expect(await admin.get(bots.giveBack, { params })).toMatchObject({ status: 'pending', userId: null })
  expect((await rita.sent()).at(-1)!.body).toBe('Qual?')
  await rita.heard()
  expect(await rita.ask('0042')).toEqual(['Anotei 0042.'])
  expect((await admin.get(tickets.story, { params })).events.map(({ what }) => what)).toContain('botReturned')
})

test('what the company types on its phone silences the bot too, but not the greeting that the phone sends at once', async () => {
  const [greeted, rita] = [customer(), customer()]
  const onPhone = { fromMe: true, externalId: `PHONE${newNumber()}` }
  await greeted.write('oi')
  await greeted.write('Olá! Já respondemos.', onPhone)
  expect(await greeted.session()).toMatchObject({ mode: 'menu' })
  expect(await greeted.ticket()).toMatchObject({ status: 'pending', unreadMessages: 1 })
  expect(await greeted.ask('1')).toEqual(['Já vem.'])
  await rita.write('oi', { at: new Date(Date.now() - 90_000).toISOString() })
  await rita.write('Sou eu, a Ana', { fromMe: true, externalId: `PHONE${newNumber()}` })
  expect((await rita.sent()).filter(({ dueAt }) => dueAt !== null)).toEqual([])
  expect([await rita.ask('1'), (await rita.session())!.mode]).toEqual([[], 'stopped'])
})

test('nothing is said in groups, to numbers of the company, or to what is old', async () => {
  const old = customer()
  await old.write('oi', { at: new Date(Date.now() - 2 * 3_600_000).toISOString() })
  expect(await old.sent()).toEqual([])
})

test('a machine opposite is stopped: it is told, and the ticket says so', async () => {
  const robot = customer()
  for (let at = 0; at < 4; at++) await robot.write('Olá! Esta é uma resposta automática da loja.')
  expect((await robot.session())!.mode).toBe('stopped')
  expect((await robot.sent()).at(-1)!.body).toBe(WORDS.guarded)
  const { events } = await admin.get(tickets.story, { params: { ticketId: robot.ticketId() } })
  expect(events.map(({ what }) => what)).toContain('botGuarded')
})

test('who chooses nothing in time, which counts from what left last, is handed over, once, and not when he chose [BOTSETUP-017]', async () => {
  const params = { botSetupId }
  const body = {
    actionWithoutQueue: 'transferQueueDefault' as const,
    transferQueueId: queueId,
    timeWithoutQueue: 1 as const,
    messageOnWithoutQueue: 'Ainda aí?',
  }
  await admin.get(bots.changeSetup, { params, body })
  const [idle, busy] = [customer(), customer()]
  for (const one of [idle, busy]) await one.write('oi')
  await busy.write('1')
  expect(await dueOf(busy.ticketId())).toBe(null)
  await makeDue(idle.ticketId())
  await until(async () => (await dueOf(idle.ticketId()))! > new Date().toISOString())
  await haveLeft(idle.ticketId())
  await makeDue(idle.ticketId())
  await until(async () => (await idle.ticket()).queueId === queueId)
  expect((await idle.sent()).map(one => one.body)).toEqual([menu, 'Ainda aí?'])
  await admin.get(bots.changeSetup, { params, body: { actionWithoutQueue: 'none' } })
})

test('a script that changes counts from the next message on, and a bot that goes leaves conversations to people', async () => {
  const rita = customer()
  await rita.write('oi')
  await rita.write('5')
  const commands = await admin.get(bots.listCommands, { params: { botSetupId } })
  const more = commands.find(({ commandBot }) => commandBot === '5')!
  await admin.get(bots.removeCommand, { params: { botId: more.id }, query: { branch: true } })
  expect(await rita.ask('1')).toEqual(['Já vem.'])
  const other = customer()
  await other.write('oi')
  await admin.get(bots.changeSetup, { params: { botSetupId }, body: { whatsapps: [] } })
  expect(await other.ask('1')).toEqual([])
  await add({ commandBot: '5', commandType: 6, descriptionBot: 'Mais', showMessage: 'O quê?' })
  await admin.get(bots.changeSetup, { params: { botSetupId }, body: { whatsapps: [whatsappId] } })
})

test('those who may read the ticket hear where the bot stands; another company hears and sees nothing', async () => {
  const [pushes, elsewhere] = [
    await admin.subscribe(botSessionChannel),
    await stranger.subscribe(botSessionChannel),
  ]
  const rita = customer()
  await rita.write('oi')
  await until(() => pushes.some(({ ticketId }) => ticketId === rita.ticketId()))
  expect(elsewhere).toEqual([])
  const params = { ticketId: rita.ticketId() }
  expect((await stranger.call(bots.showSession, { params })).status).toBe(404)
  expect((await stranger.call(bots.giveBack, { params })).status).toBe(404)
  for (const route of [bots.listCalls, bots.showSecret])
    expect((await stranger.call(route, { params: { botSetupId } })).status).toBe(404)
  expect((await marina.call(bots.showSecret, { params: { botSetupId } })).status).toBe(403)
})

describe('a burst', () => {
  const setBurst = (burstSeconds: 0 | 10) =>
    admin.get(bots.changeSetup, { params: { botSetupId }, body: { burstSeconds } })
  beforeAll(() => setBurst(10))
  afterAll(() => setBurst(0))

  test('gets one answer when its pause is over, also where the line was down; another company hears nothing', async () => {
    const rita = customer()
    for (const line of ['oi', 'bom dia', 'tudo bem?', 'queria saber o preço'])
      expect(await rita.ask(line)).toEqual([])
    await makeDue(rita.ticketId())
    await until(async () => (await rita.sent()).length > 0)
    expect((await rita.sent()).map(({ body }) => body)).toEqual([menu])
    const elsewhere = app.platform.scopes.inCompany(stranger.user.companyId)
    expect(await endWait(elsewhere, rita.ticketId())).toBe(false)
    const backlog = customer()
    for (let at = 0; at < 5; at++)
      await backlog.write(`linha ${at}`, { at: new Date(Date.now() - 600_000 + at).toISOString() })
    await makeDue(backlog.ticketId())
    await until(async () => (await backlog.sent()).length > 0)
    expect((await backlog.sent()).map(({ body }) => body)).toEqual([menu])
  })

  test('is over after ten messages, and with the person who takes over', async () => {
    const [rita, ana] = [customer(), customer()]
    for (let at = 0; at < 9; at++) expect(await rita.ask(`linha ${at}`)).toEqual([])
    expect(await rita.ask('linha 10')).toEqual([menu])
    await ana.write('oi')
    const params = { ticketId: ana.ticketId() }
    await admin.get(tickets.change, { params, body: { status: 'open', queueId } })
    expect([await dueOf(ana.ticketId()), await ana.sent()]).toEqual([null, []])
    await admin.get(tickets.change, { params, body: { status: 'pending' } })
    await ana.write('oi?')
    expect([await dueOf(ana.ticketId()), await ana.sent()]).toEqual([null, []])
  })

  test('that begins the conversation anew is over too when a person answers on the phone', async () => {
    const rita = customer()
    await rita.write('oi')
    const params = { botSetupId }
    await admin.get(bots.changeSetup, { params, body: { reopenBotAfterHours: 1 } })
    await app.database.script(`update bot_sessions set due_at = null, state = state || '{"mode": "stopped",
      "begun": true, "lines": [], "silentSince": 1000}' where ticket_id = ${rita.ticketId()}`)
    await rita.write('voltei', { at: new Date(Date.now() - 90_000).toISOString() })
    await rita.write('Oi, Rita!', { fromMe: true, externalId: `PHONE${newNumber()}` })
    expect([await dueOf(rita.ticketId()), (await rita.session())!.mode]).toEqual([null, 'stopped'])
    await admin.get(bots.changeSetup, { params, body: { reopenBotAfterHours: 0 } })
  })

  test('leaves the ticket to people where it ended too long ago to be answered', async () => {
    const rita = customer()
    await rita.write('oi')
    expect((await rita.ticket()).withBot).toBe(true)
    await app.database.script(`update bot_sessions set due_at = now() - interval '2 hours',
      state = jsonb_set(state, '{lines,0,at}', '1000') where ticket_id = ${rita.ticketId()}`)
    await until(async () => !(await rita.ticket()).withBot)
    expect(await rita.sent()).toEqual([])
  })

  test('of two workers one answers it, and one of a version that knows no bursts finds nothing', async () => {
    const rita = customer()
    await rita.write('oi')
    expect(await dueOf(rita.ticketId())).toBe(null)
    await makeDue(rita.ticketId())
    await Promise.all(Array.from({ length: 4 }, () => endWait(scope(), rita.ticketId())))
    expect((await rita.sent()).map(({ body }) => body)).toEqual([menu])
  })
})

test('a missed call starts no bot and answers nothing; what is written behind it does', async () => {
  const rita = customer()
  await rita.write('', { mediaType: 'call_log', data: { isVideo: false } })
  expect(await rita.sent()).toEqual([])
  expect(await rita.ask('oi')).toEqual([menu])
  await rita.write('', { mediaType: 'call_log', data: { isVideo: false } })
  expect((await rita.sent()).map(({ body }) => body)).toEqual([menu])
})

test('whose first message got no answer meets the bot with the next one; who talked with a person does not', async () => {
  const late = customer()
  await late.write('oi', { at: new Date(Date.now() - 2 * 3_600_000).toISOString() })
  expect(await late.ask('alguém?')).toEqual([menu])
  const attended = customer()
  await attended.write('oi', { at: new Date(Date.now() - 2 * 3_600_000).toISOString() })
  const params = { ticketId: attended.ticketId() }
  await admin.get(tickets.change, { params, body: { status: 'open', queueId } })
  await admin.get(tickets.change, { params, body: { status: 'pending' } })
  expect(await attended.ask('alguém?')).toEqual([])
})

test('a tap on an older menu changes nothing and says so once; a choice takes back what has not left', async () => {
  const rita = customer()
  await rita.write('oi')
  const commands = await admin.get(bots.listCommands, { params: { botSetupId } })
  const tap = (number: string) =>
    ({ tapId: `bot:${commands.find(({ commandBot }) => commandBot === number)!.id}` }) as const
  await rita.write('Pedido', tap('2'))
  expect((await rita.sent()).map(({ body }) => body)).toEqual(['Qual?'])
  const before = await rita.session()
  await rita.write('Pedido', tap('2'))
  await rita.write('Vendas', tap('1'))
  expect((await rita.sent()).map(({ body }) => body)).toEqual(['Qual?', WORDS.olderMenu])
  expect(await rita.session()).toEqual(before)
})

test('a menu longer than a message may be leaves as several', async () => {
  const { id } = await add({
    commandBot: '9',
    commandType: 2,
    descriptionBot: 'Tudo',
    showMessage: `${'a'.repeat(4_000)} ${'b'.repeat(90)}`,
  })
  for (const at of [1, 2]) await add({ commandBot: `9.${at}`, commandType: 1, descriptionBot: `Item ${at}` })
  const rita = customer()
  await rita.write('oi')
  await rita.write('9')
  const lengths = (await rita.sent()).map(({ body }) => body.length)
  expect([lengths.length, lengths.every(length => length <= 4_096)]).toEqual([2, true])
  await admin.get(bots.removeCommand, { params: { botId: id }, query: { branch: true } })
})

test('closing lets the flow of its command finish', async () => {
  const flowActions = JSON.stringify([
    { actionType: 'SendText', body: 'Obrigada!' },
    { actionType: 'Delay', param: 1 },
    { actionType: 'SendText', body: 'Até a próxima.' },
  ])
  const { id: flowId } = await admin.get(flows.create, {
    body: { name: 'Despedida', type: 'Bot', flowActions },
  })
  const { id } = await add({
    commandBot: '8',
    commandType: 5,
    descriptionBot: 'Fim',
    typeMessage: 'flow',
    flowId,
  })
  const rita = customer()
  await rita.write('oi')
  await rita.write('8')
  expect(await rita.ticket()).toMatchObject({ status: 'closed' })
  await until(async () => {
    const { messages: all } = await admin.get(messages.list, { params: { ticketId: rita.ticketId() } })
    const told = all.filter(({ source, ack }) => source === 'flow' && ack > 1)
    return told.map(({ body }) => body).join() === 'Obrigada!,Até a próxima.'
  })
  await admin.get(bots.removeCommand, { params: { botId: id } })
})
