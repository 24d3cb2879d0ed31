import { auth } from '@balcao/contract/auth.ts'
import { connections } from '@balcao/contract/connections.ts'
import { messageChannel, messages } from '@balcao/contract/messages.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { ticketChannel, tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, type Person, type TestApp, until } from '../testing/test-app.ts'
import { stage } from './features/imports/imports.actions.ts'

interface Line {
  level: number
  msg: string
  trace?: string
  [fact: string]: unknown
}

const lines: Line[] = []
let app: TestApp
let marina: Person
let admin: Person
let whatsappId: number
beforeAll(async () => {
  app = await openTestApp({ LOG_LEVEL: 'debug' }, { logTo: { write: line => lines.push(JSON.parse(line)) } })
  marina = await app.as('atendente@balcao.test')
  admin = await app.as('admin@balcao.test')
  whatsappId = marina.user.whatsappId!
})
afterAll(() => app.close())

const writes = (number: string) =>
  marina.get(simulator.write, { params: { whatsappId }, body: { number, name: 'Renata', body: 'Oi' } })
const of = (trace: string) => lines.filter(line => line.trace?.split(' ').includes(trace))
const facts = (found: Line[], name: string) => found.map(line => line[name]).filter(Boolean)

async function openTicket(number: string) {
  await writes(number)
  const { id } = await until(async () => {
    const waiting = await marina.get(tickets.list, { query: { status: 'pending' } })
    return waiting.tickets.find(ticket => ticket.contact.number === number)
  })
  const body = { status: 'open' as const, queueId: marina.user.queues[0]!.id }
  await marina.get(tickets.change, { params: { ticketId: id }, body })
  return id
}

test('what a person sends has one trace, from the request through outbox and driver to the push', async () => {
  const ticketId = await openTicket('5511970000001')
  const heard = await marina.subscribe(messageChannel)
  const trace = 'from-a-proxy:0001'
  const { body, headers } = await marina.call(messages.send, {
    params: { ticketId, companyId: marina.user.companyId },
    body: { body: 'Bom dia' },
    headers: { 'x-request-id': trace },
  })
  expect(headers.get('x-request-id')).toBe(trace)
  const sent = () => heard.some(news => news.action === 'update' && news.message.id === body.id)
  await until(() => sent())

  const found = of(trace)
  expect(facts(found, 'route')).toEqual([messages.send.path])
  // its process sends it at once: nothing is filled that another would look into
  expect(facts(found, 'event')).toEqual(['message.created', 'message.changed'])
  expect(facts(found, 'channel').filter(channel => channel === messageChannel.name)).toHaveLength(2)
  expect(found.map(({ msg }) => msg)).toEqual(
    expect.arrayContaining(['a message leaves', 'the simulated phone has it', 'the network answered']),
  )
  const itsLines = lines.filter(line => line.messageId === body.id)
  expect(itsLines.map(line => line.trace)).toEqual(itsLines.map(() => trace))
  expect(itsLines.length).toBeGreaterThan(1)
})

test('what a network tells has one trace, from the driver to the push, that is not of whoever woke it', async () => {
  const heard = await marina.subscribe(messageChannel)
  const number = '5511970000002'
  const { id: externalId } = await writes(number)
  await until(() => heard.some(news => news.action === 'create' && news.contact.number === number))

  const told = lines.find(line => JSON.stringify(line.events ?? '').includes(externalId))!
  const found = of(told.trace!)
  expect(facts(found, 'event')).toEqual(
    expect.arrayContaining(['ticket.changed', 'message.created', 'news.logged']),
  )
  expect(facts(found, 'channel')).toEqual(expect.arrayContaining([messageChannel.name, ticketChannel.name]))
  expect(facts(found, 'route')).toEqual([])
})

test('what is done to a message has the trace of who asked for it', async () => {
  const ticketId = await openTicket('5511970000006')
  const heard = await marina.subscribe(messageChannel)
  const { messages: shown } = await marina.get(messages.list, { params: { ticketId } })
  const headers = { 'x-request-id': 'a-reaction-0001' }
  const { id: messageId } = shown[0]!
  await marina.get(messages.react, { params: { messageId }, body: { emoji: '👍' }, headers })
  const deed = () => lines.find(line => line.msg === 'an operation leaves' && line.messageId === messageId)
  expect(await until(deed)).toMatchObject({ trace: 'a-reaction-0001', what: 'react' })
  await until(() => heard.some(news => news.action === 'update' && news.message.id === messageId))
  expect(facts(of('a-reaction-0001'), 'event')).toContain('message.changed')
})

test('a request is named by its caller, unless that is no name', async () => {
  const named = async (given: string) =>
    (await fetch(`${app.url}/health`, { headers: { 'x-request-id': given } })).headers.get('x-request-id')
  expect(await named('0af7651916cd43dd8448eb211c80319c')).toBe('0af7651916cd43dd8448eb211c80319c')
  for (const odd of ['short', 'x'.repeat(65), 'two words here', '{"json":true}'])
    expect(await named(odd)).toMatch(/^[0-9a-f-]{36}$/)
})

test('an error answer repeats the trace of its line', async () => {
  const { body } = await app.anonymous.call(tickets.list, { headers: { 'x-request-id': 'refused-request' } })
  expect(body).toMatchObject({ requestId: 'refused-request' })
  expect(of('refused-request').map(({ msg }) => msg)).toEqual(['request'])
})

describe('what a person would ask about is one line', () => {
  const told = (msg: string) => lines.filter(line => line.level === 30 && line.msg === msg)

  test('a connection that ends, and one that is back', async () => {
    const states = () =>
      told('the connection changed its state').filter(line => line.whatsappId === whatsappId)
    expect(states()).toMatchObject([{ status: 'CONNECTED' }])
    const fault = (kind: 'offline' | 'none') =>
      admin.get(simulator.fault, { params: { whatsappId }, body: { kind } })
    await fault('offline')
    await until(() => states().length === 2)
    await fault('none')
    await until(() => states().length === 3)
    expect(states().map(line => line.status)).toEqual(['CONNECTED', 'OPENING', 'CONNECTED'])
    expect(told('this process runs the connection').map(line => line.whatsappId)).toContain(whatsappId)
  })

  test('a message that failed for good, with its reason', async () => {
    const ticketId = await openTicket('5511970000004')
    await admin.get(simulator.fault, { params: { whatsappId }, body: { kind: 'reject' } })
    const { id } = await marina.get(messages.send, {
      params: { ticketId, companyId: marina.user.companyId },
      body: { body: 'Não chega' },
    })
    const failed = () => told('a message failed for good').filter(line => line.messageId === id)
    await until(() => failed().length > 0)
    await admin.get(simulator.fault, { params: { whatsappId }, body: { kind: 'none' } })
    expect(failed()).toMatchObject([{ companyId: marina.user.companyId, reason: 'ERR_SENDING_WAPP_MSG' }])
  })

  test('an import that began, and that ended', async () => {
    const { id } = await admin.get(connections.create, {
      body: { name: 'Antiga', lib: 'simulator', importOldMessages: '2026-01-01' },
    })
    const { secrets, scopes } = app.platform
    await scopes.inCompany(admin.user.companyId).transaction(tx =>
      stage(
        tx,
        secrets,
        id,
        [
          {
            kind: 'message',
            chat: { kind: 'phone', value: '5511970000005' },
            externalId: 'OLD1',
            fromMe: false,
            name: 'Antigo',
            body: 'Oi',
            mediaType: null,
            at: '2026-01-02T12:00:00.000Z',
          },
        ],
        { isLast: true },
      ),
    )
    await until(() => told('an import ended').length > 0)
    expect(told('an import began')).toMatchObject([{ whatsappId: id }])
    expect(told('an import ended')).toMatchObject([{ whatsappId: id }])
  })

  test('a login that a limit refuses, once a minute; a sign-up', async () => {
    const login = () =>
      app.anonymous.call(auth.login, { body: { email: 'ninguem@balcao.test', password: 'errada' } })
    let refused = 0
    for (let tried = 0; refused < 3 && tried < 100; tried++) if ((await login()).status === 429) refused++
    expect(refused).toBe(3)
    expect(told('a call was refused by a limit')).toMatchObject([{ route: auth.login.path, method: 'POST' }])

    const body = { name: 'Nova', email: 'nova@balcao.test', password: 'uma-senha-longa' }
    const { id } = await app.anonymous.get(auth.signup, { body })
    expect(told('a company signed up')).toMatchObject([{ userId: id }])
  })
})
