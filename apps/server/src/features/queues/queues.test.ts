import { queueChannel, queues } from '@balcao/contract/queues.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { ticketChannel, tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'

let app: TestApp
let admin: Person
let marina: Person
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  marina = await app.as('atendente@balcao.test')
})
afterAll(() => app.close())

const add = (name: string, color: string) => admin.call(queues.create, { body: { name, color } })

test('queues are listed by name and shown one by one [QUEUE-004, CONST-010, API-005, OP-34]', async () => {
  const listed = await marina.get(queues.list)
  expect(listed.map(queue => queue.name)).toEqual(['Financeiro', 'Suporte', 'Vendas'])
  expect(await marina.get(queues.show, { params: { queueId: listed[0]!.id } })).toEqual(listed[0])
})

test('a queue that is added, changed and removed is heard of by everyone, as it is answered [LIVE-016, QUEUE-004, QUEUE-007, API-005, EVENT-013, ENTITY-010, OP-35]', async () => {
  const pushes = await marina.subscribe(queueChannel)
  const { body: added } = await add('Entregas', '#445566')
  expect(added).toMatchObject({ name: 'Entregas', color: '#445566', greetingMessage: '' })
  const changed = await admin.get(queues.change, {
    params: { queueId: added.id },
    body: { greetingMessage: 'Aqui saem as entregas' },
  })
  expect(changed).toEqual({ ...added, greetingMessage: 'Aqui saem as entregas' })
  await admin.get(queues.remove, { params: { queueId: added.id } })
  await until(() => pushes.length === 3)
  expect(pushes).toEqual([
    { action: 'create', queue: added },
    { action: 'update', queue: changed },
    { action: 'delete', queueId: added.id },
  ])
  const gone = await admin.call(queues.show, { params: { queueId: added.id } })
  expect([gone.status, gone.body.error]).toEqual([404, 'ERR_NO_QUEUE_FOUND'])
})

test('a name or a colour that is taken, in any case, is refused and names the field [QUEUE-005, ERR-010, ERR-025]', async () => {
  const name = await add('VENDAS', '#010203')
  expect([name.status, name.body.error, name.body.field]).toEqual([409, 'ERR_NAME_EXISTS', 'name'])
  const color = await add('Outro setor', '#FE9200')
  expect([color.status, color.body.error, color.body.field]).toEqual([
    409,
    'ERR_QUEUE_COLOR_ALREADY_EXISTS',
    'color',
  ])
})

test('a colour may be said by its name, of 3 to 9 characters [QUEUE-002]', async () => {
  const { status, body } = await add('Urgências', 'red')
  expect([status, body.color]).toEqual([200, 'red'])
  expect((await add('Longas', 'lightgoldenrodyellow')).status).toBe(400)
})

test('a colour that is none is refused [QUEUE-002]', async () => {
  const { status, body } = await add('Sem cor', 'azul')
  expect([status, body.field]).toEqual([400, 'color'])
})

test('two companies may use the same name and colour', async () => {
  const stranger = await app.as('admin@outra.test')
  expect((await stranger.call(queues.create, { body: { name: 'Vendas', color: '#1273de' } })).status).toBe(
    200,
  )
})

test('the tickets of a removed queue live on without it, and the screens see that [OP-70]', async () => {
  const { body: queue } = await add('Passageira', '#aabbcc')
  await admin.get(simulator.write, {
    params: { whatsappId: admin.user.whatsappId! },
    body: { number: '5511981230001', name: 'Rita', body: 'Oi' },
  })
  const ticket = await until(async () => (await admin.get(tickets.list)).tickets[0])
  const params = { ticketId: ticket.id }
  await admin.get(tickets.change, { params, body: { status: 'open', queueId: queue.id } })
  const pushes = await admin.subscribe(ticketChannel)
  await admin.get(queues.remove, { params: { queueId: queue.id } })
  const push = await until(() => pushes.find(one => one.action === 'update'))
  expect(push).toMatchObject({ ticket: { id: ticket.id, status: 'open', queueId: null, queue: null } })
  // what is one's own of a ticket is in no push of it
  const shown = { ...(await admin.get(tickets.show, { params })), pinned: undefined, following: undefined }
  expect('ticket' in push && push.ticket).toEqual(shown)
})

test('the tickets of a queue that is removed stay without one; many of them are taken out of it by several commits', async () => {
  const { body: crowded } = await add('Lotada', '#556677')
  const { companyId } = admin.user
  await app.database.script(`
    insert into contacts (company_id, id, name, number)
      select ${companyId}, 900000 + n, 'C' || n, (5511900000000 + n)::text from generate_series(1, 250) n;
    insert into tickets (company_id, id, uuid, protocol, contact_id, queue_id, status)
      select ${companyId}, 900000 + n, gen_random_uuid(), 'p' || n, 900000 + n, ${crowded.id},
        case n % 10 when 0 then 'closed' else 'pending' end from generate_series(1, 250) n`)
  await admin.get(queues.remove, { params: { queueId: crowded.id } })
  const left = tag`select queue_id, count(*)::int as many, count(distinct xmin::text)::int as commits from tickets
    where id > 900000 and id <= 900250 group by queue_id`
  expect(await app.database.transaction('', sql => rowsFrom(sql, left))).toEqual([
    { queue_id: null, many: 250, commits: 4 },
  ])
})
