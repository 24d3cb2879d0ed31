import { categories } from '@balcao/contract/categories.ts'
import { contactMergeChannel, contactMerges } from '@balcao/contract/contactMerges.ts'
import { contacts } from '@balcao/contract/contacts.ts'
import { messages } from '@balcao/contract/messages.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newNumber, unique } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { sql } from '../../platform/postgres/sql.ts'

let app: TestApp
let admin: Person
let marina: Person
let stranger: Person
let whatsappId: number
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  marina = await app.as('atendente@balcao.test')
  stranger = await app.as('admin@outra.test')
  whatsappId = admin.user.whatsappId!
})
afterAll(() => app.close())

const product = () => app.platform.scopes.inCompany(admin.user.companyId)
const add = (name: string, more: object = {}) =>
  admin.get(contacts.create, { body: { name, number: newNumber(), ...more } })
const show = (contactId: number) => admin.call(contacts.show, { params: { contactId } })
const merge = (into: number, from: number, keep = {}, who = admin) =>
  who.call(contactMerges.merge, { body: { into, from, keep } })
const undo = (mergeId: number, who = admin) => who.call(contactMerges.undo, { params: { mergeId } })

/** A customer writes, and what he wrote is there. */
async function writes(number: string, body: string) {
  await admin.get(simulator.write, { params: { whatsappId }, body: { number, name: 'Rita', body } })
  return until(() =>
    product().read(async tx => {
      const { rows } = (await tx.sql.execute(
        sql`select ticket_id as "ticketId", contact_id as "contactId" from messages
          where company_id = ${tx.companyId} and body = ${body}`,
      )) as { rows: { ticketId: number; contactId: number }[] }
      return rows[0]
    }),
  )
}
/** Everything of two contacts as the database keeps it, but for what only counts changes. */
const everythingOf = (ids: number[]) =>
  product().read(async tx => {
    const list = sql.raw(ids.join(','))
    const all = async (query: ReturnType<typeof sql>) =>
      ((await tx.sql.execute(query)) as { rows: unknown[] }).rows
    return {
      merges: await all(sql`select id from contact_merges where into_id in (${list})`),
      contacts: await all(sql`select id, name, number, lid, cloud_id, email, profile_pic_url, created_at
        from contacts where id in (${list}) order by id`),
      identifiers: await all(sql`select kind, value, contact_id from contact_identifiers
        where contact_id in (${list}) order by kind, value`),
      infos: await all(sql`select contact_id, name, value from contact_extra_info
        where contact_id in (${list}) order by contact_id, name`),
      categories: await all(sql`select contact_id, category_id from contact_categories
        where contact_id in (${list}) order by 1, 2`),
      tickets:
        await all(sql`select id, contact_id, status, unread_messages, waiting_since, closed_at, queue_id, user_id,
        last_message from tickets where contact_id in (${list}) order by id`),
      tags: await all(sql`select g.ticket_id, tag_id from ticket_tags g join tickets t on t.id = g.ticket_id
        where t.contact_id in (${list}) order by 1, 2`),
      messages: await all(sql`select id, ticket_id, contact_id, body, media_url from messages
        where contact_id in (${list}) order by position`),
    }
  })

async function category() {
  const { id } = await admin.get(categories.create, { body: { name: `Grupo ${unique()}`, color: '#123456' } })
  return id
}
/** Two contacts who both wrote; the second has everything that can hang on one. */
async function twoWhoWrote() {
  const into = await add('Rita Lima', { extraInfo: [{ name: 'CPF', value: '1' }] })
  const email = `rita${unique()}@x.test`
  const from = await add('Rita L.', { email, extraInfo: [{ name: 'Cidade', value: 'Salvador' }] })
  const ids = [await category(), await category()]
  await admin.get(contacts.categorize, { body: { contactId: into.id, categoryContacts: ids.slice(0, 1) } })
  await admin.get(contacts.categorize, { body: { contactId: from.id, categoryContacts: ids } })
  const first = await writes(into.number, `Oi ${unique()}`)
  const closed = await writes(from.number, `Antes ${unique()}`)
  await admin.get(tickets.change, { params: { ticketId: closed.ticketId }, body: { status: 'closed' } })
  const second = await writes(from.number, `Depois ${unique()}`)
  return { into, from, email, first: first.ticketId, closed: closed.ticketId, second: second.ticketId, ids }
}

describe('a merge by hand', () => {
  test('says before what moves and which conversation closes', async () => {
    const { into, from } = await twoWhoWrote()
    const preview = await admin.get(contactMerges.preview, { query: { into: into.id, from: from.id } })
    expect(preview).toMatchObject({
      into: { id: into.id },
      from: { id: from.id },
      tickets: 2,
      messages: 2,
      files: 0,
    })
    expect(preview.ends).toHaveLength(1)
  })

  test('moves tickets, messages, identifiers, categories and extra fields, and fills what lacked', async () => {
    const { into, from, email, first, closed, second, ids } = await twoWhoWrote()
    const { status, body } = await merge(into.id, from.id)
    expect(status).toBe(200)
    expect(body.contact).toMatchObject({ name: 'Rita Lima', number: into.number, email })
    expect(body.contact.extraInfo.map(info => info.name)).toEqual(['CPF', 'Cidade'])
    expect(body.contact.categoryContacts.map(one => one.id).toSorted()).toEqual(ids.toSorted())
    expect(body.contact.tickets.map(ticket => ticket.id).toSorted()).toEqual(
      [first, closed, second].toSorted(),
    )
    expect((await show(from.id)).status).toBe(404)
    const all = await everythingOf([into.id])
    expect(all.identifiers).toHaveLength(2)
    expect(all.messages).toHaveLength(3)
    expect(all.tickets).toMatchObject([
      { status: 'pending', unread_messages: 2 },
      { status: 'closed' },
      { status: 'closed', unread_messages: 0 },
    ])
  })

  test('keeps what was chosen, field by field', async () => {
    const { into, from, ids } = await twoWhoWrote()
    const keep = { name: 'from', number: 'from', email: 'into', extraInfo: 'from', categories: 'into' }
    const { body } = await merge(into.id, from.id, keep)
    expect(body.contact).toMatchObject({ id: into.id, name: 'Rita L.', number: from.number })
    expect(body.contact.extraInfo).toMatchObject([{ name: 'Cidade', value: 'Salvador' }])
    expect(body.contact.categoryContacts).toMatchObject([{ id: ids[0] }])
  })

  test('leaves the conversation that somebody attends open', async () => {
    const { into, from, first, second } = await twoWhoWrote()
    await admin.get(tickets.change, { params: { ticketId: second }, body: { status: 'open' } })
    await merge(into.id, from.id)
    const at = (ticketId: number) => admin.get(tickets.show, { params: { ticketId } })
    expect([(await at(first)).status, (await at(second)).status]).toEqual(['closed', 'open'])
  })

  test('is heard by the company, and what either number writes afterwards comes to who stayed', async () => {
    const pushes = await marina.subscribe(contactMergeChannel)
    const { into, from, first } = await twoWhoWrote()
    const { body } = await merge(into.id, from.id)
    await until(() => pushes.find(one => one.mergeId === body.merge.id && one.action === 'merge'))
    const later = await writes(from.number, `Sou eu ${unique()}`)
    expect(later).toEqual({ ticketId: first, contactId: into.id })
    // answers go to the number that wrote last
    expect((await show(into.id)).body.number).toBe(from.number)
    expect(await writes(into.number, `E aqui ${unique()}`)).toEqual(later)
    expect((await show(into.id)).body.number).toBe(into.number)
  })

  test('of a contact with itself, of a group, or of nobody is refused and names the field', async () => {
    const { id } = await add('Rita')
    const fieldOf = async (into: number, from: number) => {
      const { status, body } = await merge(into, from)
      return [status, body.error, body.field]
    }
    expect(await fieldOf(id, id)).toEqual([400, 'ERR_BAD_REQUEST', 'from'])
    expect((await fieldOf(id, 2_000_000_000))[0]).toBe(404)
    expect((await fieldOf(0, id)).toSpliced(1, 1)).toEqual([400, 'into'])
  })

  test('is not for attendants, and not for another company', async () => {
    const [a, b] = [await add('Rita'), await add('Rita')]
    expect((await merge(a.id, b.id, {}, marina)).status).toBe(403)
    expect((await merge(a.id, b.id, {}, stranger)).status).toBe(404)
    const { body } = await merge(a.id, b.id)
    expect((await undo(body.merge.id, stranger)).status).toBe(404)
    expect((await stranger.get(contactMerges.list)).merges).toEqual([])
    const query = { into: a.id, from: a.id }
    expect((await stranger.call(contactMerges.preview, { query })).status).toBe(404)
  })

  test('of two at the same moment, and of both into each other, one wins', async () => {
    const [a, b] = [await add('Rita'), await add('Rita')]
    const answers = await Promise.all([merge(a.id, b.id), merge(b.id, a.id), merge(a.id, b.id)])
    expect(answers.map(answer => answer.status).toSorted()).toEqual([200, 404, 404])
  })
})

describe('undoing a merge', () => {
  test.each([
    ['what stayed', {}],
    [
      'everything of the other',
      { name: 'from', number: 'from', email: 'from', extraInfo: 'from', categories: 'from' },
    ],
  ])('puts everything back as it was, whether it kept %s', async (_what, keep) => {
    const { into, from } = await twoWhoWrote()
    const before = await everythingOf([into.id, from.id])
    const { body } = await merge(into.id, from.id, keep)
    expect((await admin.get(contactMerges.list)).merges[0]).toMatchObject({
      id: body.merge.id,
      contact: { id: into.id },
      from: { id: from.id, name: 'Rita L.' },
      by: { id: admin.user.id },
    })
    expect((await undo(body.merge.id)).status).toBe(200)
    expect(await everythingOf([into.id, from.id])).toEqual(before)
    expect((await undo(body.merge.id)).status).toBe(404)
  })

  test('gives each what it wrote since, and leaves what somebody changed since', async () => {
    const { into, from, first, second } = await twoWhoWrote()
    const { body } = await merge(into.id, from.id)
    const text = `Ainda aí? ${unique()}`
    await writes(from.number, text)
    const own = `Pois não ${unique()}`
    await writes(into.number, own)
    await admin.get(contacts.change, {
      params: { contactId: into.id },
      body: { name: 'Rita de Cássia Lima' },
    })
    const { into: stays, from: back } = (await undo(body.merge.id)).body
    expect([stays.name, stays.number, back.name, back.number]).toEqual([
      'Rita de Cássia Lima',
      into.number,
      'Rita L.',
      from.number,
    ])
    const all = await everythingOf([into.id, from.id])
    expect(all.messages).toContainEqual(
      expect.objectContaining({ body: text, contact_id: from.id, ticket_id: second }),
    )
    expect(all.messages).toContainEqual(
      expect.objectContaining({ body: own, contact_id: into.id, ticket_id: first }),
    )
    const at = (id: number) => all.tickets.find(ticket => (ticket as { id: number }).id === id)
    expect(at(first)).toMatchObject({ unread_messages: 2, last_message: own, status: 'pending' })
    expect(at(second)).toMatchObject({ unread_messages: 2, last_message: text, status: 'pending' })
  })

  test('gives a conversation that began since whole to whose it is', async () => {
    const [into, from] = [await add('Rita'), await add('Rosa')]
    const { body } = await merge(into.id, from.id)
    const { ticketId } = await writes(from.number, `Novo ${unique()}`)
    const mine = { params: { ticketId }, body: { status: 'open' } } as const
    await admin.get(tickets.change, mine)
    await admin.get(messages.send, {
      params: { ticketId, companyId: admin.user.companyId },
      body: { body: 'Olá, Rosa' },
    })
    await undo(body.merge.id)
    const ticket = await admin.get(tickets.show, { params: { ticketId } })
    expect([ticket.contact.id, ticket.status]).toEqual([from.id, 'open'])
    const { messages: said } = await everythingOf([from.id])
    expect(said).toHaveLength(2)
    expect((await everythingOf([into.id])).messages).toEqual([])
  })

  test('of merges one upon the other goes from the last to the first', async () => {
    const [a, b, c] = [await add('Ana'), await add('Bia'), await add('Cida')]
    const before = await everythingOf([a.id, b.id, c.id])
    const first = await merge(b.id, c.id)
    const second = await merge(a.id, b.id)
    expect((await undo(first.body.merge.id)).body.error).toBe('ERR_NO_CONTACT_FOUND')
    await undo(second.body.merge.id)
    await undo(first.body.merge.id)
    expect(await everythingOf([a.id, b.id, c.id])).toEqual(before)
  })

  test('is possible for a day; what was kept for it goes with the day, or with the contact', async () => {
    const [a, b] = [await add('Ana'), await add('Bia')]
    const mergeId = (await merge(a.id, b.id)).body.merge.id
    await product().transaction(tx =>
      tx.sql.execute(sql`update contact_merges set at = at - interval '24 hours' where id = ${mergeId}`),
    )
    expect((await undo(mergeId)).body.error).toBe('ERR_NOT_FOUND')
    const [c, d] = [await add('Ana'), await add('Bia')]
    const other = (await merge(c.id, d.id)).body.merge.id
    await admin.get(contacts.remove, { params: { contactId: c.id } })
    expect((await undo(other)).status).toBe(404)
    const { jobs } = await import('./contactMerges.jobs.ts')
    await jobs[0]!.run(app.platform.scopes, app.platform.config, app.platform)
    expect(await everythingOf([a.id])).toMatchObject({ merges: [] })
  })
})

describe('suggestions', () => {
  test('name a number written in two ways and a shared e-mail, until somebody says that they are two', async () => {
    const tail = `8${unique()}1`
    const [a, b] = [
      await add('Com país', { number: `55119${tail}` }),
      await add('Sem país', { number: newNumber() }),
    ]
    // as versions before kept one without its country
    await product().transaction(tx =>
      tx.sql.execute(sql`with renamed as (update contacts set number = ${`011${tail}`} where id = ${b.id})
        update contact_identifiers set value = ${`011${tail}`} where contact_id = ${b.id}`),
    )
    const email = `casal${unique()}@x.test`
    const [c, d] = [await add('Ela', { email }), await add('Ele', { email: email.toUpperCase() })]
    const found = async () =>
      (await admin.get(contactMerges.suggestions)).suggestions.map(one => [one.why, one.into.id, one.from.id])
    expect(await found()).toEqual([
      ['number', a.id, b.id],
      ['email', c.id, d.id],
    ])
    await admin.get(contactMerges.keepApart, { body: { into: d.id, from: c.id } })
    expect(await found()).toEqual([['number', a.id, b.id]])
    await merge(a.id, b.id)
    expect(await found()).toEqual([])
    expect((await stranger.get(contactMerges.suggestions)).suggestions).toEqual([])
  })
})
