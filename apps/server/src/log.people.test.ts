import { auth } from '@balcao/contract/auth.ts'
import { contactSheets } from '@balcao/contract/contactSheets.ts'
import { contacts } from '@balcao/contract/contacts.ts'
import { messages } from '@balcao/contract/messages.ts'
import { schedules } from '@balcao/contract/schedules.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { users } from '@balcao/contract/users.ts'
import { visits } from '@balcao/contract/visits.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newNumber, unique } from '../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../testing/test-app.ts'
import { rowsFrom, sql as tag } from './platform/postgres/sql.ts'

const lines: string[] = []
let app: TestApp
let admin: Person
let marina: Person
beforeAll(async () => {
  app = await openTestApp({ LOG_LEVEL: 'debug' }, { logTo: { write: line => lines.push(line) } })
  admin = await app.as('admin@balcao.test')
  marina = await app.as('atendente@balcao.test')
})
afterAll(() => app.close())

const said = (line: string) => lines.some(one => one.includes(line))
const writes = (number: string, name: string, body: string) =>
  admin.call(simulator.write, {
    params: { whatsappId: admin.user.whatsappId! },
    body: { number, name, body },
  })

/** Until then every row of a table is refused, and the error contains the whole row. */
async function refusing(table: string, work: () => Promise<unknown>) {
  await app.database.script(`
    create function refuse_all() returns trigger language plpgsql as $$ begin
      raise exception 'no room for %', to_jsonb(new) using errcode = '23514', detail = to_jsonb(new)::text,
        hint = to_jsonb(new)::text; end $$;
    create trigger refuse_all before insert or update on ${table} for each row execute function refuse_all();`)
  await work()
  await app.database.script(`drop trigger refuse_all on ${table}; drop function refuse_all()`)
}

test('a failed login is logged with the account or a name for what was typed, the address that called, and no e-mail', async () => {
  const login = (email: string) =>
    app.anonymous.call(auth.login, {
      body: { email, password: 'errada' },
      headers: { 'x-forwarded-for': '203.0.113.9' },
    })
  const failures = () =>
    lines
      .map(line => JSON.parse(line) as Record<string, unknown>)
      .filter(({ msg }) => msg === 'a login failed')
  await login('atendente@balcao.test')
  for (const email of ['ninguem@rua.test', 'NINGUEM@rua.test', 'outro@rua.test']) await login(email)
  expect(failures()).toMatchObject([
    // no proxy is trusted here: the address is that of the connection
    { level: 40, userId: marina.user.id, ip: '127.0.0.1', code: 'ERR_INVALID_CREDENTIALS' },
    { account: expect.stringMatching(/^[\w-]{12}$/) },
    {},
    {},
  ])
  const [, first, again, other] = failures().map(({ account }) => account)
  expect(again).toBe(first)
  expect(other).not.toBe(first)
  expect(lines.join()).not.toMatch(/ninguem@|outro@rua/i)
})

test('a day of work, with what fails in it, leaves no name, number or word of anybody in the log', async () => {
  const stamp = unique()
  const [name, number] = [`Zuleica Brandão ${stamp}`, newNumber()]
  const words = `segredo dela ${stamp}`
  await writes(number, name, words)
  const found = () => admin.get(contacts.list, { query: { searchParam: number } })
  const { id } = await until(async () => (await found()).contacts[0])
  const { id: ticketId } = await until(async () => {
    const query = { tab: 'search', searchContactId: id, showAll: true } as const
    return (await admin.get(tickets.list, { query })).tickets[0]
  })
  const queueId = marina.user.queues[0]!.id
  await marina.get(tickets.change, { params: { ticketId }, body: { status: 'open', queueId } })
  const params = { ticketId, companyId: admin.user.companyId }
  await marina.get(messages.send, { params, body: { body: `resposta ${stamp}` } })
  await marina.get(tickets.list, { query: { searchParam: words, showAll: true } })
  await admin.call(contacts.create, { body: { name, number, email: `zuleica${stamp}@rua.test` } })

  const person = { name, number: newNumber(), email: `zuleica${stamp}@rua.test` }
  await refusing('contacts', async () => {
    expect((await admin.call(contacts.create, { body: person })).status).toBe(500)
    expect((await admin.call(contacts.change, { params: { contactId: id }, body: person })).status).toBe(500)
    await writes(newNumber(), name, words)
    await until(() => said('an inbound event could not be handled'))
  })
  await refusing('messages', async () => {
    await marina.call(messages.send, { params, body: { body: words } })
    await writes(number, name, words)
  })
  await refusing('contact_sheet_rows', async () => {
    const form = new FormData()
    form.append('file', new File([`nome;numero\n${name};${newNumber()}`], 'a.csv', { type: 'text/csv' }))
    const headers = { authorization: `Bearer ${admin.token}` }
    await fetch(`${app.url}/contacts/sheets`, { method: 'POST', headers, body: form })
    await until(() => said('contactSheets.read') && said('a job failed'))
  })
  await refusing('users', async () => {
    const body = {
      name,
      email: person.email,
      password: 'senha-bem-longa',
      profile: 'user' as const,
      queueIds: [],
    }
    await admin.call(users.create, { body })
  })
  await refusing('schedules', async () => {
    await admin.call(schedules.create, {
      body: { contactId: id, body: words, sendAt: new Date(Date.now() + 3_600_000).toISOString() },
    })
  })
  await admin.call(contactSheets.current)
  const master = await app.as('master@balcao.test')
  await master.get(visits.start, {
    params: { companyId: admin.user.companyId },
    body: { reason: `Chamado de ${name}`, minutes: 15 },
  })
  await until(() => said('a master begins a visit'))

  const people = await app.database.transaction('', sql =>
    rowsFrom<{ mark: string }>(
      sql,
      tag`select name as mark from contacts union select number from contacts union select email from contacts
        union select value from contact_identifiers union select name from users union select email from users
        union select left(body, 40) from messages`,
    ),
  )
  const marks = [...people.map(({ mark }) => mark), name, 'Zuleica', words, number].filter(
    mark => mark.length >= 7,
  )
  expect(marks.length).toBeGreaterThan(15)
  expect(lines.filter(line => line.includes('ERR_INTERNAL')).length).toBeGreaterThanOrEqual(3)
  const log = lines.join('').toLowerCase()
  expect(marks.filter(mark => log.includes(JSON.stringify(mark.toLowerCase()).slice(1, -1)))).toEqual([])
}, 60_000)
