import { BotLogic } from '@balcao/contract/bots.logic.ts'
import { bots } from '@balcao/contract/bots.ts'
import { businessHours } from '@balcao/contract/businessHours.ts'
import { connections } from '@balcao/contract/connections.ts'
import { contacts } from '@balcao/contract/contacts.ts'
import { messages } from '@balcao/contract/messages.ts'
import { tags } from '@balcao/contract/tags.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type HookListener, openListener, signedAs } from '../../../testing/listener.ts'
import { newNumber, rowsOf } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { and, eq } from '../../platform/postgres/sql.ts'
import { receiveMessage } from '../messages/inbound/inbound.actions.ts'
import { botSessions } from './bots.table.ts'

let app: TestApp
let admin: Person
let stranger: Person
let whatsappId: number
let listener: HookListener
let botSetupId: number

beforeAll(async () => {
  listener = await openListener('/pedido', 200)
  app = await openTestApp({ OUTBOUND_ALLOW: '127.0.0.1' })
  admin = await app.as('admin@balcao.test')
  stranger = await app.as('admin@outra.test')
})
afterAll(async () => {
  listener.close()
  await app.close()
})

/** A bot of its own for each test, on a connection of its own. */
beforeEach(async () => {
  whatsappId = await rowsOf(app, admin).connection()
  const body = { name: 'Loja', typingTime: '1' as const, burstSeconds: 0 as const, whatsapps: [whatsappId] }
  botSetupId = (await admin.get(bots.addSetup, { body })).id
})

const add = (commandBot: string, commandType: number, showMessage: string, more: object = {}) =>
  admin.get(bots.addCommand, {
    params: { companyId: admin.user.companyId },
    body: { botSetupId, commandBot, commandType, showMessage, ...more },
  })
const scope = () => app.platform.scopes.inCompany(admin.user.companyId)

function customer() {
  const number = newNumber()
  let ticketId = 0
  let last = 0
  const sent = async () =>
    (await admin.get(messages.list, { params: { ticketId } })).messages.filter(
      ({ source }) => source === 'bot',
    )
  const said = async () =>
    (await sent())
      .sort((a, b) => ((a.dueAt ?? a.createdAt) < (b.dueAt ?? b.createdAt) ? -1 : 1))
      .map(({ body }) => body)
  return {
    said,
    id: () => ticketId,
    /** To what has left, unless `early`; its moment is by so many milliseconds another one than now. */
    async write(body: string, { early = false, beside = 0 } = {}) {
      if (ticketId && !early) await until(async () => (await sent()).every(({ dueAt }) => dueAt === null))
      const heard = {
        kind: 'message' as const,
        chat: { kind: 'phone' as const, value: number },
        externalId: `LOGIC${number}${++last}`,
        ...{
          fromMe: false,
          name: 'Rita',
          body,
          mediaType: null,
          at: new Date(Date.now() + beside).toISOString(),
        },
      }
      ticketId = (await scope().transaction(tx => receiveMessage(tx, whatsappId, heard))) ?? ticketId
    },
    says: (text: string) => until(async () => (await said()).at(-1) === text),
    ticket: () => admin.get(tickets.show, { params: { ticketId } }),
    /** What is waited for is due. */
    burstEnds: () =>
      app.database.script(
        `update bot_sessions set due_at = due_at - interval '1 hour', burst_at = burst_at - interval '1 hour' where ticket_id = ${ticketId}`,
      ),
    session: async () => (await admin.get(bots.showSession, { params: { ticketId } })).session!,
  }
}

const lookUp = async () => {
  const checked = { check: 'cpf', variable: 'cpf', keepIn: 'field', field: 'CPF', wrong: 'CPF inválido.' }
  await add('1', 7, 'Qual é o seu CPF?', { logic: checked })
  const logic = { fills: [{ variable: 'status', path: 'pedido.status' }], otherwise: '1.1.2' }
  await add('1.1', 10, 'Um momento…', { webhook: `${listener.url}?cpf={{cpf}}`, logic })
  await add('1.1.1', 1, 'Seu pedido está {{status}}.')
  await add('1.1.2', 1, 'O sistema não respondeu.')
}

test('a checked answer is kept with the contact and asked of another system, whose answer the bot says', async () => {
  await lookUp()
  Object.assign(listener, { status: 200, answer: JSON.stringify({ pedido: { status: 'a caminho' } }) })
  const rita = customer()
  await rita.write('oi')
  await rita.says('Qual é o seu CPF?')
  await rita.write('123')
  await rita.says('CPF inválido.')
  await rita.write('52998224725')
  await rita.says('Seu pedido está a caminho.')
  const { contactId } = await rita.ticket()
  const { extraInfo } = await admin.get(contacts.show, { params: { contactId } })
  expect(extraInfo).toMatchObject([{ name: 'CPF', value: '529.982.247-25' }])
  expect((await rita.session()).variables).toEqual({ cpf: '529.982.247-25', status: 'a caminho' })
  const call = listener.heard.at(-1)!
  expect(JSON.parse(call.body).data.variables).toEqual({ cpf: '529.982.247-25' })
  const params = { botSetupId }
  expect(call.headers['webhook-signature']).toBe(
    signedAs(call, (await admin.get(bots.showSecret, { params })).secret),
  )
  const [logged] = (await admin.get(bots.listCalls, { params })).calls
  expect(logged).toMatchObject({ state: 'done', url: `${listener.url}?cpf=529.982.247-25` })
})

describe('an answer that comes late', () => {
  beforeEach(() => Object.assign(listener, { status: 200, holds: true, held: [] }))
  afterEach(() => Object.assign(listener, { holds: false }))

  /** Who waits for the system, and led to it again by `#`. */
  async function impatient() {
    await lookUp()
    const rita = customer()
    await rita.write('oi')
    await rita.write('52998224725')
    await until(() => listener.held.length === 1)
    await rita.write('#')
    await rita.says('Qual é o seu CPF?')
    return rita
  }
  const done = async (many: number) =>
    until(async () => {
      const { calls } = await admin.get(bots.listCalls, { params: { botSetupId } })
      return calls.filter(({ dueAt }) => dueAt === null).length === many
    })

  test('takes nothing of what the customer writes meanwhile', async () => {
    const rita = await impatient()
    await admin.get(bots.changeSetup, { params: { botSetupId }, body: { burstSeconds: 10 } })
    await rita.write('123')
    listener.held[0]!('{}')
    await done(1)
    await rita.burstEnds()
    await rita.says('CPF inválido.')
  })

  test('is not taken for that of a later call', async () => {
    const rita = await impatient()
    await rita.write('11144477735')
    await until(() => listener.held.length === 2)
    listener.held[0]!(JSON.stringify({ pedido: { status: 'velho' } }))
    await done(1)
    expect((await rita.session()).mode).toBe('calling')
    listener.held[1]!(JSON.stringify({ pedido: { status: 'novo' } }))
    await rita.says('Seu pedido está novo.')
  })

  test('is not said where the bot was switched off meanwhile', async () => {
    await lookUp()
    const rita = customer()
    await rita.write('oi')
    await rita.write('52998224725')
    await until(() => listener.held.length === 1)
    await admin.get(bots.changeSetup, { params: { botSetupId }, body: { whatsapps: [] } })
    listener.held[0]!('{}')
    await done(1)
    await rita.burstEnds()
    await until(async () => (await rita.session()).mode === 'menu')
    expect((await rita.said()).at(-1)).toBe('Um momento…')
    expect((await rita.ticket()).withBot).toBe(false)
  })
})

test.each([
  ['an error', 500, '{}'],
  ['no JSON', 200, 'ok'],
  ['more than it may', 200, `{"pedido":"${'x'.repeat(70_000)}"}`],
])(
  'a system that answers with %s is asked once, and the bot goes the other way',
  async (_what, status, answer) => {
    await lookUp()
    Object.assign(listener, { status, answer })
    const before = listener.heard.length
    const rita = customer()
    await rita.write('oi')
    await rita.write('52998224725')
    await rita.says('O sistema não respondeu.')
    const [logged] = (await admin.get(bots.listCalls, { params: { botSetupId } })).calls
    expect([logged!.attempts, logged!.dueAt, listener.heard.length]).toEqual([1, null, before + 1])
  },
)

test('who does not answer a question in its own time is led on', async () => {
  await add('1', 7, 'Qual?', { logic: { waitMinutes: 30, silent: '1.1' } })
  await add('1.1', 1, 'Ainda está aí?')
  const rita = customer()
  await rita.write('oi')
  const own = and(eq(botSessions.companyId, admin.user.companyId), eq(botSessions.botSetupId, botSetupId))
  const { id: ticketId } = await rita.ticket()
  // the question left an hour ago
  await app.database.script(`update messages set waits = false, outbox = null, ack = 2, due_at = null, typing_from = null,
    created_at = created_at - interval '1 hour' where ticket_id = ${ticketId} and from_me`)
  const due = await scope().transaction(async tx => {
    const [row] = await tx.sql.select({ dueAt: botSessions.dueAt }).from(botSessions).where(own)
    await tx.sql
      .update(botSessions)
      .set({ dueAt: new Date(Date.now() - 1_000).toISOString() })
      .where(own)
    return row!.dueAt!
  })
  expect(Date.parse(due) - Date.now()).toBeGreaterThan(29 * 60_000)
  await rita.says('Ainda está aí?')
})

test('outside the hours of the company the first word meets another branch; tags and categories are conditions too', async () => {
  const tag = await admin.get(tags.create, { body: { name: 'Avisado' } })
  const closed = {
    conditions: [
      { kind: 'hours', open: false },
      { kind: 'tag', id: tag.id, has: false },
    ],
  }
  await add('1', 1, 'Preços', { descriptionBot: 'Preços' })
  await add('2', 1, 'Entrega', { descriptionBot: 'Entrega' })
  await add('9', 9, '', { logic: closed })
  await add('9.1', 1, 'Estamos fechados.', { tags: [tag.id] })
  const always = [0, 1, 2, 3, 4, 5, 6].map(weekday => ({ weekday, opens: 0, closes: 1_440 }))
  const holidays = [-1, 0, 1].map(days => ({
    day: new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10),
    name: '',
  }))
  await admin.get(businessHours.change, { body: { hours: always, holidays: [] } })
  const open = customer()
  await open.write('oi')
  expect(await open.said()).toEqual(['*1* - Preços\n*2* - Entrega'])
  await admin.get(businessHours.change, { body: { hours: always, holidays } })
  const { around } = await admin.get(bots.script, { params: { botSetupId } })
  expect(around.isOpen).toBe(false)
  const rita = customer()
  await rita.write('oi')
  expect(await rita.said()).toEqual(['Estamos fechados.'])
  await rita.write('#')
  expect((await rita.said()).at(-1)).toBe('*1* - Preços\n*2* - Entrega')
  await admin.get(businessHours.change, { body: { hours: [], holidays: [] } })
})

test('a branch by hours asks the hours of its connection, where it has some, on no holiday of the company', async () => {
  await add('1', 1, 'Preços', { descriptionBot: 'Preços' })
  await add('2', 1, 'Entrega', { descriptionBot: 'Entrega' })
  await add('9', 9, '', { logic: { conditions: [{ kind: 'hours', open: false }] } })
  await add('9.1', 1, 'Estamos fechados.')
  const always = [0, 1, 2, 3, 4, 5, 6].map(weekday => ({ weekday, opens: 0, closes: 1_440 }))
  const own = (hours: object[] | null) =>
    admin.get(connections.change, { params: { whatsappId }, body: { hours: hours as typeof always } })
  const answer = async () => {
    const anybody = customer()
    await anybody.write('oi')
    return (await anybody.said())[0]
  }
  const isOpen = async () => (await admin.get(bots.script, { params: { botSetupId } })).around.isOpen
  const [menu, closed] = ['*1* - Preços\n*2* - Entrega', 'Estamos fechados.']
  await admin.get(businessHours.change, { body: { hours: always, holidays: [] } })
  expect((await own([])).hours).toEqual([])
  expect([await answer(), await isOpen()]).toEqual([closed, false])
  await admin.get(businessHours.change, { body: { hours: [], holidays: [] } })
  await own(always)
  expect([await answer(), await isOpen()]).toEqual([menu, true])
  const holidays = [-1, 0, 1].map(days => ({
    day: new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10),
    name: '',
  }))
  await admin.get(businessHours.change, { body: { hours: [], holidays } })
  expect(await answer()).toBe(closed)
  await admin.get(businessHours.change, { body: { hours: [], holidays: [] } })
  expect((await own(null)).hours).toBeNull()
  expect([await answer(), await isOpen()]).toEqual([menu, null])
  const wrong = { hours: [{ weekday: 1, opens: 60, closes: 60 }] }
  const refused = await admin.call(connections.change, { params: { whatsappId }, body: wrong })
  expect([refused.status, refused.body.field]).toEqual([400, 'hours.0.closes'])
})

test('what was written before a question has left is not its answer', async () => {
  await add('1', 7, 'Qual o seu pedido?')
  await add('1.1', 1, 'Anotado.')
  const rita = customer()
  await rita.write('oi')
  await rita.write('tudo bem?', { early: true })
  expect(await rita.said()).toEqual(['Qual o seu pedido?'])
  await rita.write('Só uma dúvida', { beside: -10_000 })
  await rita.write('0042')
  await rita.says('Anotado.')
  const { session } = await admin.get(bots.showSession, { params: { ticketId: rita.id() } })
  expect(session?.answers.map(({ text }) => text)).toEqual(['0042'])
  const caio = customer()
  await caio.write('oi')
  await until(async () => (await caio.said()).length === 1)
  // the clock of the database is ahead: the phone has the question
  await app.database.script(`update messages set ack = 3 where ticket_id = ${caio.id()} and source = 'bot'`)
  await caio.write('0043', { beside: -10_000 })
  await caio.says('Anotado.')
})

test('what checks lead to, and the tags that conditions name, follow a renumbering and a merge', async () => {
  const [one, other] = [
    await admin.get(tags.create, { body: { name: 'Primeira' } }),
    await admin.get(tags.create, { body: { name: 'Segunda' } }),
  ]
  const conditions = [{ kind: 'tag', id: one.id, has: true }]
  const condition = await add('1', 9, '', { logic: { conditions, otherwise: '3', silent: '3' } })
  const moved = await add('3', 1, 'Aqui')
  const commands = [{ id: moved.id, commandBot: '4' }]
  const arranged = await admin.get(bots.arrange, { params: { botSetupId }, body: { commands } })
  expect(arranged[0]!.logic).toMatchObject({ otherwise: '4', silent: '4' })
  await admin.get(tags.merge, { params: { tagId: one.id }, body: { into: other.id } })
  const { logic } = await admin.get(bots.showCommand, { params: { botId: condition.id } })
  expect(logic!.conditions).toEqual([{ kind: 'tag', id: other.id, has: true }])
})

test('a condition asks for tags of its own company alone', async () => {
  const theirs = await stranger.get(tags.create, { body: { name: 'Deles' } })
  const logic = BotLogic.parse({ conditions: [{ kind: 'tag', id: theirs.id, has: true }] })
  const { status, body } = await admin.call(bots.addCommand, {
    params: { companyId: admin.user.companyId },
    body: { botSetupId, commandBot: '1', commandType: 9, logic },
  })
  expect([status, body.error]).toEqual([404, 'ERR_NO_TAG_FOUND'])
})
