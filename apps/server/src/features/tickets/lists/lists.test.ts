import { randomUUID } from 'node:crypto'
import { messages } from '@balcao/contract/messages.ts'
import { defaultFlags, type Viewer } from '@balcao/contract/permissions.rules.ts'
import { permissions } from '@balcao/contract/permissions.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { belongsInList, orderOf, type TicketList } from '@balcao/contract/tickets.rules.ts'
import { type TicketListInput, tickets } from '@balcao/contract/tickets.ts'
import { users } from '@balcao/contract/users.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newNumber } from '../../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../../testing/test-app.ts'
import { eq, sql as tag } from '../../../platform/postgres/sql.ts'
import { contacts, contacts as contactTable } from '../../contacts/contacts.table.ts'
import { tags } from '../../tags/tags.table.ts'
import { tickets as ticketTable, ticketTags } from '../tickets.table.ts'
import { writeList } from './lists.queries.ts'

let app: TestApp
let admin: Person
let marina: Person
let caio: Person
let phone: number
let queueIds: number[]
let userIds: number[]

beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  marina = await app.as('atendente@balcao.test')
  caio = await app.as('caio@balcao.test')
  phone = admin.user.whatsappId!
  queueIds = admin.user.queues.map(queue => queue.id)
  userIds = [admin, marina, caio].map(person => person.user.id)
  await stock(130)
})
afterAll(() => app.close())

const product = () => app.platform.scopes.inCompany(admin.user.companyId)
let made = 0

/** Tickets of every status, queue and user, each of its own contact, a minute after the other. */
const stock = (many: number) =>
  product().transaction(async tx => {
    const { companyId } = tx
    const people = await tx.sql
      .insert(contacts)
      .values(
        Array.from({ length: many }, (_, i) => ({ companyId, name: `Pessoa ${i}`, number: newNumber() })),
      )
      .returning({ id: contacts.id })
    const nth = <T>(of: T[], i: number): T => of[i % of.length]!
    await tx.sql.insert(ticketTable).values(
      people.map(({ id: contactId }, i) => {
        const at = new Date(Date.UTC(2026, 0, 5, 12, i)).toISOString()
        const status = nth(['pending', 'open', 'closed'] as const, i)
        return {
          companyId,
          uuid: randomUUID(),
          protocol: `T${++made}`,
          contactId,
          whatsappId: phone,
          status,
          queueId: nth([...queueIds, null], Math.floor(i / 3)),
          userId: status === 'pending' ? null : nth(userIds, Math.floor(i / 3)),
          unreadMessages: i % 4,
          waitingSince: i % 4 === 0 ? null : new Date(Date.UTC(2026, 0, 4, (i * 7) % 24, i)).toISOString(),
          createdAt: at,
          updatedAt: at,
        }
      }),
    )
  })

const list = (person: Person, query: Partial<TicketListInput>) => person.get(tickets.list, { query })
const ids = (found: { tickets: { id: number }[] }) => found.tickets.map(ticket => ticket.id)
const rows = () =>
  product().transaction(tx =>
    tx.sql.select().from(ticketTable).where(eq(ticketTable.companyId, tx.companyId)),
  )

async function walk(person: Person, query: Partial<TicketListInput>, between = async () => {}) {
  const seen: number[] = []
  for (let pageNumber = 1; ; pageNumber++) {
    const page = await list(person, { ...query, pageNumber })
    seen.push(...ids(page))
    if (!page.hasMore) return { seen, count: page.count }
    await between()
  }
}

describe('a tab', () => {
  test('holds its status, newest activity first [GEN-008]', async () => {
    for (const status of ['open', 'pending', 'closed'] as const) {
      const found = await list(admin, { status, showAll: true })
      expect(new Set(found.tickets.map(ticket => ticket.status))).toEqual(new Set([status]))
      const times = found.tickets.map(ticket => ticket.updatedAt)
      expect(times).toEqual(times.toSorted().reverse())
    }
    expect(ids(await list(admin, { tab: 'closed' }))).toEqual(ids(await list(admin, { status: 'closed' })))
  })

  test('of open tickets is one’s own, of closed ones everybody’s [TICKET-010, TICKET-011, OP-33]', async () => {
    const open = await list(marina, { status: 'open' })
    expect(new Set(open.tickets.map(ticket => ticket.userId))).toEqual(new Set([marina.user.id]))
    const closed = await list(marina, { status: 'closed' })
    expect(new Set(closed.tickets.map(ticket => ticket.userId)).size).toBe(3)
  })

  test('is sorted by who waits longest when one asks for it, page after page', async () => {
    const waiting: TicketList = { status: 'pending', showAll: true, sort: 'waiting' }
    const first = await list(admin, { ...waiting, status: 'pending' })
    expect(first.tickets).toEqual(first.tickets.toSorted(orderOf(waiting)))
    const { seen, count } = await walk(admin, { status: 'pending', showAll: true, sort: 'waiting' })
    const standing = (await rows()).filter(ticket => ticket.status === 'pending').toSorted(orderOf(waiting))
    expect([seen, count]).toEqual([standing.map(ticket => ticket.id), standing.length])
    const jumped = await list(admin, { status: 'pending', showAll: true, sort: 'waiting', pageNumber: 2 })
    expect(ids(jumped)).toEqual(seen.slice(40, 80))
    const closed = { status: 'closed', showAll: true } as const
    expect(ids(await list(admin, { ...closed, sort: 'waiting' }))).toEqual(ids(await list(admin, closed)))
  })

  test('counts exactly what walking through it shows [TICKET-008, TICKET-038]', async () => {
    for (const person of [admin, marina])
      for (const status of ['open', 'pending', 'closed'] as const)
        for (const showAll of [true, false]) {
          const { seen, count } = await walk(person, { status, showAll })
          expect([new Set(seen).size, count]).toEqual([seen.length, seen.length])
        }
  })
})

describe('what the query asks', () => {
  test('only narrows: showAll of an attendant and queues one does not have bring nothing more [TICKET-022, TICKET-038, LIVE-001, OP-33]', async () => {
    const own = ids(await list(marina, { status: 'open' }))
    expect(ids(await list(marina, { status: 'open', showAll: true }))).toEqual(own)
    const one = await list(marina, { status: 'pending', queueIds: [queueIds[0]!] })
    expect(new Set(one.tickets.map(ticket => ticket.queueId))).toEqual(new Set([queueIds[0]]))
    const foreign = await list(marina, { status: 'pending', queueIds: [2_000_000] })
    expect(foreign.tickets).toEqual([])
    const without = await list(marina, { status: 'pending', queueIds: [0, queueIds[1]!] })
    expect(new Set(without.tickets.map(ticket => ticket.queueId))).toEqual(new Set([null, queueIds[1]]))
  })

  test('filters by unread, day, contact, attendant and status [TICKET-014, TICKET-015, TICKET-016, TICKET-017, TICKET-038, API-006, OP-32]', async () => {
    const all = await rows()
    const search = (query: Partial<TicketListInput>) =>
      walk(admin, { tab: 'search', showAll: true, ...query })
    const expected = (fits: (ticket: (typeof all)[number]) => boolean) => all.filter(fits).length
    const unread = await search({ withUnreadMessages: true })
    expect([unread.seen.length, unread.count]).toEqual(Array(2).fill(expected(t => t.unreadMessages > 0)))
    expect((await search({ date: '2026-01-05' })).seen).toHaveLength(130)
    expect((await search({ date: '2026-01-06' })).seen).toEqual([])
    const one = all[0]!
    expect((await search({ searchContactId: one.contactId })).seen).toEqual([one.id])
    const mine = await search({ searchUserId: marina.user.id, searchTicketStatus: 'closed' })
    expect(mine.seen).toHaveLength(expected(t => t.userId === marina.user.id && t.status === 'closed'))
    const late = await search({ searchInitialDate: '2026-01-05T14:00:00Z', searchFinalDate: '2026-01-31' })
    expect(late.seen).toHaveLength(expected(t => t.createdAt >= '2026-01-05T14:00'))
  })

  test('finds by name, number, protocol, tag and words of a message [TICKET-014]', async () => {
    const [one] = await rows()
    const person = await product().transaction(async tx => {
      const [tag] = await tx.sql
        .insert(tags)
        .values({ companyId: tx.companyId, name: 'Feira', color: '#000' })
        .returning()
      await tx.sql.insert(ticketTags).values({ companyId: tx.companyId, ticketId: one!.id, tagId: tag!.id })
      const [contact] = await tx.sql.select().from(contacts).where(eq(contacts.id, one!.contactId))
      return { ...contact!, tagId: tag!.id }
    })
    const search = async (query: Partial<TicketListInput>) =>
      ids(await list(admin, { tab: 'search', showAll: true, ...query }))
    expect(await search({ tags: [person.tagId] })).toEqual([one!.id])
    expect(await search({ searchParam: person.number })).toEqual([one!.id])
    expect(await search({ searchParam: one!.protocol })).toEqual([one!.id])
    expect(await search({ searchParam: 'PESSOA 12' })).toHaveLength(11)
    expect(await search({ searchParam: 'Pessoa%' })).toEqual([])
    const number = newNumber()
    const body = { number, body: 'Quero um armário de jacarandá' }
    await admin.get(simulator.write, { params: { whatsappId: phone }, body })
    const [found] = await until(async () => {
      const hits = await search({ searchParam: 'jacaranda ARMÁRIO' })
      return hits.length === 1 && hits
    })
    const query = { searchTerm: 'um ARMARIO de jacarandá' }
    const talk = await admin.get(messages.list, { params: { ticketId: found! }, query })
    expect(talk.messages).toHaveLength(1)
    expect(talk.ticket.contact.number).toBe(number)
  })

  test('shows of each find the newest message that holds the words, to those who may read it', async () => {
    const number = newNumber()
    const write = (body: string) =>
      admin.get(simulator.write, { params: { whatsappId: phone }, body: { number, body } })
    await write('Perdi um guarda-chuva')
    await write(`${'bem antes '.repeat(200)}era um guarda-chuva lilás da Noruega ${'e depois '.repeat(200)}`)
    await write('Alguém achou?')
    const look = (person: Person, searchParam: string) =>
      list(person, { tab: 'search', showAll: true, searchParam })
    const found = await until(async () => {
      const answer = await look(admin, 'guarda chuva LILAS NORUEGA')
      return answer.tickets.length === 1 && answer
    })
    expect(found.hits).toEqual([
      {
        ticketId: found.tickets[0]!.id,
        messageId: expect.any(String),
        body: expect.any(String),
        isNote: false,
      },
    ])
    expect(found.hits![0]!.body).toContain('guarda-chuva lilás da Noruega')
    expect(found.hits![0]!.body.length).toBeLessThan(300)
    const noted = { body: 'O da Noruega é azul-petróleo', isPrivate: true }
    const params = { ticketId: found.tickets[0]!.id, companyId: admin.user.companyId }
    await admin.get(messages.send, { params, body: noted })
    expect((await look(admin, 'azul petroleo')).hits).toMatchObject([{ body: noted.body, isNote: true }])
    expect((await look(admin, number)).hits).toEqual([])
    const stranger = await app.as('admin@outra.test')
    expect((await look(stranger, 'Noruega')).hits).toEqual([])
    const group = await admin.get(permissions.create, {
      body: { name: 'Não olha quem espera', allowViewPendingTickets: false },
    })
    const body = {
      name: 'Téo',
      email: 'teo@balcao.test',
      password: 'balcao-demo',
      queueIds,
      whatsappId: phone,
      userAuthorizationId: group.id,
    }
    await admin.get(users.create, { body })
    expect((await look(await app.as('teo@balcao.test'), 'Noruega')).hits).toEqual([])
  })
})

describe('walking through the pages', () => {
  test('neither repeats nor skips a ticket while others move to the top', async () => {
    const before = await rows()
    const movers = before.filter(ticket => ticket.status === 'closed').map(ticket => ticket.id)
    let moved = 0
    let arrived = 0
    const { seen } = await walk(admin, { tab: 'search', showAll: true }, async () => {
      await product().transaction(async tx => {
        for (let i = 0; i < 5; i++)
          await tx.sql
            .update(ticketTable)
            .set({ updatedAt: new Date().toISOString() })
            .where(eq(ticketTable.id, movers[moved++]!))
      })
      await admin.get(simulator.write, {
        params: { whatsappId: phone },
        body: { number: newNumber(), body: 'Agora mesmo' },
      })
      arrived++
    })
    await until(async () => (await rows()).length === before.length + arrived)
    expect(new Set(seen).size).toBe(seen.length)
    const stayed = before.map(ticket => ticket.id).filter(id => !movers.slice(0, moved).includes(id))
    expect(stayed.filter(id => !seen.includes(id))).toEqual([])
  })

  test('costs at most three statements whatever the page holds, one more for what changed since, and two to look for words and to show them [CONST-004, OP-31]', async () => {
    const once = async (query: Partial<TicketListInput>) => {
      const scope = product()
      const { viewer } = await app.platform.access.enter(admin.token)
      const before = app.platform.database.statements()
      const written = await writeList({ ...app.platform.scopes.inCompany(scope.companyId, viewer) }, query)
      const cost = app.platform.database.statements() - before
      return [cost, JSON.parse(written.json).tickets.length as number]
    }
    // other parts of the server query meanwhile: the minimum is what the list itself costs
    const cost = async (query: Partial<TicketListInput>) => {
      const tries = [await once(query), await once(query), await once(query), await once(query)]
      return tries.sort((a, b) => a[0]! - b[0]!)[0]
    }
    const [full, one, none] = [
      await cost({ tab: 'search', showAll: true }),
      await cost({ tab: 'search', showAll: true, searchParam: 'T1' }),
      await cost({ tab: 'search', showAll: true, date: '2020-01-01' }),
    ]
    const sorted = await cost({ status: 'pending', showAll: true, sort: 'waiting' })
    expect([full![1], one![1], none![1], sorted![1]]).toEqual([40, 1, 0, 40])
    for (const [statements] of [full!, none!, sorted!]) expect(statements).toBeLessThanOrEqual(3)
    expect(one![0]).toBeLessThanOrEqual(5) // the words are looked up first, and shown at last
  })
})

test('the list and its count are what belongsInList says, for anybody and any list', async () => {
  // some people are the customers of somebody
  await app.database.script(`update contacts set owner_id = (array[${userIds}])[1 + id % ${userIds.length}]
    where company_id = ${admin.user.companyId} and id % 3 > 0`)
  const owners = new Map(
    (
      await product().transaction(tx =>
        tx.sql.select({ id: contactTable.id, ownerId: contactTable.ownerId }).from(contactTable),
      )
    ).map(({ id, ownerId }) => [id, ownerId]),
  )
  const all = (await rows()).map(ticket => ({ ...ticket, ownerId: owners.get(ticket.contactId) ?? null }))
  const someQueues = fc.subarray([0, ...queueIds, 2_000_000])
  const anybody = fc.record({
    id: fc.constantFrom(...userIds, 2_000_000),
    profile: fc.constantFrom<Viewer['profile']>('admin', 'user'),
    master: fc.constantFrom<0 | 1>(0, 0, 0, 1),
    queueIds: fc.subarray([...queueIds, 2_000_000]),
    allowNoQueue: fc.constantFrom<0 | 1>(0, 1),
    onlyOwnContacts: fc.boolean(),
  })
  const anyList = fc.record({
    status: fc.constantFrom('open', 'pending', 'closed', null),
    showAll: fc.boolean(),
    queueIds: fc.option(someQueues, { nil: undefined }),
    search: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(anybody, anyList, async ({ allowNoQueue, onlyOwnContacts, ...who }, wanted) => {
      const viewer: Viewer = {
        ...who,
        name: 'Alguém',
        companyId: admin.user.companyId,
        payPanelAccess: false,
        signMessage: false,
        authorization: { ...defaultFlags, allowNoQueue, onlyOwnContacts },
      }
      const { status, search, showAll, queueIds } = wanted
      const asked: TicketListInput = search
        ? { tab: 'search', searchTicketStatus: status ?? 'all' }
        : { status: status ?? '' }
      const scope = app.platform.scopes.inCompany(viewer.companyId, viewer)
      const listed: number[] = []
      let page: { tickets: { id: number }[]; hasMore: boolean; count: number }
      let pageNumber = 1
      do {
        const written = await writeList(scope, { ...asked, showAll, queueIds, pageNumber: pageNumber++ })
        page = JSON.parse(written.json)
        listed.push(...ids(page))
      } while (page.hasMore)
      const belong = all.filter(ticket => belongsInList(viewer, wanted, ticket)).map(ticket => ticket.id)
      expect(listed.toSorted((a, b) => a - b)).toEqual(belong.toSorted((a, b) => a - b))
      expect(page.count).toBe(belong.length)
    }),
    { numRuns: 60 },
  )
}, 60_000)

test('of a range the newest thousand are answered, and that there are more', async () => {
  const before = (await admin.get(tickets.query)).tickets.map(({ id }) => id)
  await stock(1_000)
  const { tickets: found, reportData, hasMore } = await admin.get(tickets.query)
  expect([found.length, hasMore]).toEqual([1_000, true])
  expect(found.map(({ updatedAt }) => updatedAt)).toEqual(
    found
      .map(({ updatedAt }) => updatedAt)
      .toSorted()
      .toReversed(),
  )
  expect(reportData.tickets).toEqual(found)
  const mine = await marina.get(tickets.query, {
    query: { selectedUserIds: [marina.user.id], initialDate: '2026-01-01' },
  })
  expect(mine.tickets.every(({ userId }) => userId === marina.user.id)).toBe(true)
  expect(before.length).toBeLessThan(1_000)
})

test('a word of thousands of tickets is remembered, and what is written meanwhile is found with it', async () => {
  await stock(1_000)
  await product().transaction(tx =>
    tx.sql.execute(tag`
      insert into messages (id, company_id, ticket_id, contact_id, whatsapp_id, external_id, body, from_me)
      select gen_random_uuid(), company_id, id, contact_id, whatsapp_id, 'J' || id, 'Um pé de jabuticaba', false from tickets
      where company_id = ${tx.companyId} and protocol like 'T%'`),
  )
  const look = () => list(admin, { tab: 'search', showAll: true, searchParam: 'Jabuticaba' })
  const first = await look()
  expect([first.count, first.tickets.length, first.hits!.length]).toEqual([1_000, 40, 40])
  const number = newNumber()
  const write = (body: string) =>
    admin.get(simulator.write, { params: { whatsappId: phone }, body: { number, body } })
  await write('Tem geleia de jabuticaba?')
  const found = await until(async () => {
    const { tickets: shown, hits } = await look()
    const mine = shown.find(({ contact }) => contact.number === number)
    return mine && hits!.find(({ ticketId }) => ticketId === mine.id)
  })
  expect(found.body).toBe('Tem geleia de jabuticaba?')
})

/** A closed ticket of a contact of this name, without messages. */
const ticketOf = (name: string) =>
  product().transaction(tx =>
    tx.sql.execute(tag`
      with person as (insert into contacts (company_id, name, number)
        values (${tx.companyId}, ${name}, ${newNumber()}) returning company_id, id)
      insert into tickets (company_id, uuid, protocol, contact_id, status)
        select company_id, gen_random_uuid(), ${name}, id, 'closed' from person`),
  )

test('of imported messages, which share a place, a search shows the one that holds the words', async () => {
  await ticketOf('Importada')
  await product().transaction(tx =>
    tx.sql.execute(tag`
      insert into messages (id, company_id, ticket_id, contact_id, external_id, body, from_me, position)
      select gen_random_uuid(), company_id, id, contact_id, 'import' || n, 'Uma cumbuca ' || n, false, 7
      from tickets, generate_series(1, 9) n where company_id = ${tx.companyId} and protocol = 'Importada'`),
  )
  const { hits } = await list(admin, { tab: 'search', showAll: true, searchParam: 'cumbuca 5' })
  expect(hits!.map(({ body }) => body)).toEqual(['Uma cumbuca 5'])
})

test('of a name that thousands of contacts without a ticket have, the one with a ticket is found', async () => {
  await product().transaction(tx =>
    tx.sql.execute(tag`
      insert into contacts (company_id, name, number)
      select ${tx.companyId}, 'Zeferina ' || n, (551190000000 + n)::text from generate_series(1, 1200) n`),
  )
  await ticketOf('Zeferina Alves')
  const found = await list(admin, { tab: 'search', showAll: true, searchParam: 'zeferina' })
  expect(found.tickets.map(({ contact }) => contact.name)).toEqual(['Zeferina Alves'])
})
