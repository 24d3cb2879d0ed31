import { randomUUID } from 'node:crypto'
import { contactMerges } from '@balcao/contract/contactMerges.ts'
import { contacts } from '@balcao/contract/contacts.ts'
import { draftChannel, drafts, MAX_DRAFTS } from '@balcao/contract/drafts.ts'
import { MAX_BODY, messages } from '@balcao/contract/messages.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Rows, rowsOf } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'

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

test('only open tickets that one may read have drafts, and only as long as they are open', async () => {
  const ticketId = await rows.ticket()
  const refusal = async (who: Person, id = ticketId) => (await save(id, 'Oi', 1, who)).body.error
  expect(await refusal(stranger)).toBe('ERR_NO_TICKET_FOUND')
  expect((await save(ticketId, 'a'.repeat(MAX_BODY + 1), 1)).status).toBe(400)
  await save(ticketId, 'Bom dia', 1000)
  const heard = await admin.subscribe(draftChannel)
  await admin.get(tickets.change, { params: { ticketId }, body: { status: 'closed' } })
  await until(() => heard.some(one => one.ticketId === ticketId && one.body === ''))
  expect(await draftIn(ticketId)).toBeUndefined()
  expect(await refusal(admin)).toBe('ERR_TICKET_NOT_OPEN')
})

test('a ticket that is closed at that moment keeps no draft', async () => {
  const ticketId = await rows.ticket()
  const { companyId } = admin.user
  const waits = async () => {
    const blocked = tag`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    return (await app.database.transaction('', sql => rowsFrom(sql, blocked))).length > 0
  }
  let saving: ReturnType<typeof save> | undefined
  let isSaved = false
  await app.platform.scopes.inCompany(companyId).transaction(async tx => {
    const ofIt = tag`company_id = ${companyId} and id = ${ticketId}`
    await tx.sql.execute(tag`select from tickets where ${ofIt} for update`)
    saving = save(ticketId, 'Bom dia', 1000).finally(() => {
      isSaved = true
    })
    await until(async () => isSaved || (await waits()))
    await tx.sql.execute(tag`update tickets set status = 'closed' where ${ofIt}`)
  })
  expect((await saving!).body.error).toBe('ERR_TICKET_NOT_OPEN')
  expect(await draftIn(ticketId)).toBeUndefined()
})

test('what was begun in a ticket that two contacts no longer need goes as they become one', async () => {
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
  expect(await draftIn(goes)).toBeUndefined()
  expect(await draftIn(stays)).toMatchObject({ body: 'Bom dia' })
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
