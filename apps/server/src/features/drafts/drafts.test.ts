import { randomUUID } from 'node:crypto'
import { contactMerges } from '@balcao/contract/contactMerges.ts'
import { contacts } from '@balcao/contract/contacts.ts'
import { draftChannel, drafts, MAX_DRAFTS } from '@balcao/contract/drafts.ts'
import { MAX_BODY } from '@balcao/contract/messages.input.ts'
import { messages } from '@balcao/contract/messages.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Rows, rowsOf } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { sql as tag } from '../../platform/postgres/sql.ts'

let app: TestApp
let admin: Person
let marina: Person
let stranger: Person
let rows: Rows
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  marina = await app.as('atendente@balcao.test')
  stranger = await app.as('admin@outra.test')
  rows = rowsOf(app, admin)
})
afterAll(() => app.close())

const save = (ticketId: number, body: string, at: number, who = admin, quotedId: string | null = null) =>
  who.call(drafts.save, { params: { ticketId }, body: { body, quotedId, at } })
const draftIn = async (ticketId: number, who = admin) =>
  (await who.get(drafts.list)).drafts.find(one => one.ticketId === ticketId)
const send = (ticketId: number, body: string, draftAt?: number) =>
  admin.get(messages.send, {
    params: { ticketId, companyId: admin.user.companyId },
    body: { body, ...(draftAt && { draftAt }) },
  })

test('what one has begun to write is kept, the newest wins, and one’s own screens are told', async () => {
  const ticketId = await rows.ticket()
  const [heard, colleague, elsewhere] = await Promise.all(
    [admin, marina, stranger].map(person => person.subscribe(draftChannel)),
  )
  const quotedId = randomUUID()
  expect((await save(ticketId, 'Bom d', 1000)).body).toMatchObject({ body: 'Bom d', at: 1000 })
  const kept = { ticketId, body: 'Bom dia', quotedId, at: 2000 }
  expect((await save(ticketId, 'Bom dia', 2000, admin, quotedId)).body).toEqual(kept)
  // another device, slower
  expect((await save(ticketId, 'Boa tarde', 1500)).body).toEqual(kept)
  expect(await draftIn(ticketId)).toEqual(kept)
  expect(await draftIn(ticketId, marina)).toBeUndefined()
  await until(() => heard!.length === 2)
  expect(heard!.at(-1)).toEqual(kept)
  expect([colleague, elsewhere]).toEqual([[], []])
})

test('it goes with its message, and a save that comes late does not bring it back', async () => {
  const ticketId = await rows.ticket()
  await save(ticketId, 'Chega aman', 1000)
  await send(ticketId, 'Chega amanhã', 2000)
  expect((await save(ticketId, 'Chega amanhã', 2000)).body).toMatchObject({ body: '' })
  expect(await draftIn(ticketId)).toMatchObject({ body: '', quotedId: null })
  // the first save of all comes behind the message
  const other = await rows.ticket()
  await send(other, 'Oi', 3000)
  expect((await save(other, 'Oi', 2900)).body.body).toBe('')
  // what is written after it stays
  expect((await save(other, 'E mais', 4000)).body.body).toBe('E mais')
  await send(other, 'Outra', 3500)
  expect((await draftIn(other))?.body).toBe('E mais')
})

test('of many who save and send at once the message leaves once and no draft of it stays', async () => {
  const ticketId = await rows.ticket()
  const saves = Array.from({ length: 8 }, (_, at) => save(ticketId, `Bom dia ${at}`, 1000 + at))
  await Promise.all([...saves, send(ticketId, 'Bom dia', 1007)])
  expect(await draftIn(ticketId)).toMatchObject({ body: '' })
})

test('a draft lives on when its ticket is resolved, waits again, is reopened and is of a colleague, and ends as it is sent', async () => {
  const ticketId = await rows.ticket()
  const change = (body: object, who = admin) => who.get(tickets.change, { params: { ticketId }, body })
  await save(ticketId, 'Bom dia', 1000)
  for (const status of ['closed', 'open', 'pending'] as const) {
    await change({ status, ...(status === 'pending' && { userId: null, queueId: null }) })
    expect(await draftIn(ticketId)).toMatchObject({ body: 'Bom dia', at: 1000 })
  }
  expect((await save(ticketId, 'Bom dia!', 1500)).status).toBe(200)
  await change({ transf: true, queueId: marina.user.queues[0]!.id, userId: marina.user.id })
  expect(await draftIn(ticketId)).toMatchObject({ body: 'Bom dia!' })
  expect(await draftIn(ticketId, marina)).toBeUndefined()
  expect(await draftIn(ticketId, stranger)).toBeUndefined()
  await change({ status: 'closed', userId: marina.user.id }, marina)
  expect((await save(ticketId, 'Boa tarde', 2000)).body).toMatchObject({ body: 'Boa tarde' })
  await change({ status: 'open', userId: admin.user.id })
  await send(ticketId, 'Boa tarde', 2000)
  expect(await draftIn(ticketId)).toMatchObject({ body: '', quotedId: null })
})

test('only tickets that one may read have drafts', async () => {
  const ticketId = await rows.ticket()
  const refusal = async (who: Person, id = ticketId) => (await save(id, 'Oi', 1, who)).body.error
  expect(await refusal(stranger)).toBe('ERR_NO_TICKET_FOUND')
  expect((await save(ticketId, 'a'.repeat(MAX_BODY + 1), 1)).status).toBe(400)
  expect(await draftIn(ticketId, stranger)).toBeUndefined()
})

test('what was begun in a ticket that a merge of contacts closes stays there', async () => {
  const ticketOf = async (contactId: number) => {
    const query = { tab: 'search', searchContactId: contactId, showAll: true } as const
    const [ticket] = (await admin.get(tickets.list, { query })).tickets
    await admin.get(tickets.change, {
      params: { ticketId: ticket!.id },
      body: { transf: true, queueId: admin.user.queues[0]!.id, userId: admin.user.id },
    })
    return ticket!.id
  }
  const [into, from] = [await rows.customer(), await rows.customer()]
  const [stays, goes] = [await ticketOf(into), await ticketOf(from)]
  for (const ticketId of [stays, goes]) await save(ticketId, 'Bom dia', 1000)
  await admin.get(contactMerges.merge, { body: { into, from, keep: {} } })
  expect((await admin.get(tickets.show, { params: { ticketId: goes } })).status).toBe('closed')
  for (const ticketId of [stays, goes]) expect(await draftIn(ticketId)).toMatchObject({ body: 'Bom dia' })
})

test('what was sent in hundreds of tickets hides no draft, and no time is beyond what can be answered', async () => {
  const ticketId = await rows.ticket()
  await save(ticketId, 'Ainda aqui', 1)
  const { id: userId, companyId } = admin.user
  await app.platform.scopes.inCompany(companyId).transaction(tx =>
    tx.sql.execute(tag`
      with made as (
        insert into tickets (company_id, uuid, status, protocol, contact_id)
        select ${companyId}, gen_random_uuid(), 'closed', 'made ' || n, (select contact_id from tickets
          where company_id = ${companyId} and id = ${ticketId}) from generate_series(1, ${2 * MAX_DRAFTS}::int) n
        returning id)
      insert into drafts (company_id, user_id, ticket_id, body, at) select ${companyId}, ${userId}, id, '', 5000 from made`),
  )
  expect(await draftIn(ticketId)).toMatchObject({ body: 'Ainda aqui' })
  const last = Number.MAX_SAFE_INTEGER
  expect((await save(ticketId, 'Oi', last)).status).toBe(400)
  const params = { ticketId, companyId }
  expect((await admin.call(messages.send, { params, body: { body: 'Oi', draftAt: last } })).status).toBe(400)
  expect((await admin.call(drafts.list)).status).toBe(200)
})

test('a user has so many drafts; they go with the contact', async () => {
  const [ticketId, contactId] = [await rows.ticket(), await rows.customer()]
  const { tickets: listed } = await admin.get(tickets.list, {
    query: { tab: 'search', searchContactId: contactId, showAll: true },
  })
  const theirs = listed[0]!.id
  await save(theirs, 'Sobre o seu pedido', 2_000_000)
  const { userId, companyId } = { userId: admin.user.id, companyId: admin.user.companyId }
  await app.platform.scopes.inCompany(companyId).transaction(tx =>
    tx.sql.execute(tag`
      insert into drafts (company_id, user_id, ticket_id, body, at)
      select ${companyId}, ${userId}, t.id, 'velho', 100 + t.id from tickets t
      where t.company_id = ${companyId} and t.id not in (${ticketId}, ${theirs})
      order by t.id limit ${MAX_DRAFTS} on conflict do nothing`),
  )
  await save(ticketId, 'Bom dia', 1_000_000)
  const all = (await admin.get(drafts.list)).drafts.filter(({ body }) => body !== '')
  expect(all.length).toBeLessThanOrEqual(MAX_DRAFTS)
  expect(all.slice(0, 2).map(one => one.ticketId)).toEqual([theirs, ticketId])
  await admin.get(contacts.remove, { params: { contactId } })
  expect(await draftIn(theirs)).toBeUndefined()
})
