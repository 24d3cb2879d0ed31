import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { connections } from '@balcao/contract/connections.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { meanings } from '../../../../testing/meanings.ts'
import { newNumber } from '../../../../testing/rows.ts'
import { picture } from '../../../../testing/samples.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../../testing/test-app.ts'
import { features } from '../../../features.ts'
import { product } from '../../../product.ts'
import { itemsOf } from '../../features.ts'
import { openDisk } from '../../files/disk.ts'
import { carryingPlan, openColumns } from './carried.plan.ts'
import { abandonCompany, importCompany, type OpenedCompany, openCompany } from './company.import.ts'
import { exportCompany } from './company.ts'

let app: TestApp
let admin: Person
let client: pg.Client
let folder: string
let opened: OpenedCompany
beforeAll(async () => {
  app = await openTestApp({}, { product })
  admin = await app.as('admin@balcao.test')
  client = new pg.Client(app.database.jobs)
  await client.connect()
  // chores of an hour that begins meanwhile would write in other companies
  await client.query('delete from pgboss.schedule')
  folder = await mkdtemp(join(tmpdir(), 'balcao-import-'))
  await furnish(admin)
  const file = join(folder, 'company.zip')
  const { companyId } = admin.user
  await exportCompany({ connection: app.database.jobs, store: await disk(), companyId }, file)
  opened = await openCompany(file)
})
afterAll(async () => {
  await client.end()
  await app.close()
  await rm(folder, { recursive: true })
})

const disk = () => openDisk(join(app.platform.config.dataDir, 'files'))
const filesOf = async (companyId: number) =>
  (await readdir(join(app.platform.config.dataDir, 'files', String(companyId)), { recursive: true })).sort()
const rowsOf = async (statement: string, values: unknown[] = []) =>
  (await client.query(statement, values)).rows as Record<string, unknown>[]
const oneOf = async (statement: string, values: unknown[] = []) =>
  Object.values((await rowsOf(statement, values))[0] ?? {})[0]

const carried = itemsOf(features, 'carried')
const seal = (companyId: number) => (value: string) => app.platform.secrets.seal(companyId, value)
const arrive = async (given: Partial<Parameters<typeof importCompany>[0]> = {}, packed = opened) =>
  importCompany({ connection: app.database.jobs, store: await disk(), carried, seal, ...given }, packed)

/** What the demo lacks: a file, a condition of a bot, a webhook, a message that waits, a removed user in the history. */
async function furnish({ user, get }: Person) {
  const { companyId, whatsappId } = user
  await get(simulator.write, {
    params: { whatsappId: whatsappId! },
    body: { number: newNumber(), name: 'Rita', body: 'Veja' },
    files: [picture()],
  })
  const arrived = `select count(*)::int from messages where company_id = $1 and media->>'state' = 'ready'`
  await until(async () => (await oneOf(arrived, [companyId])) === 1, 20_000)
  const secret = app.platform.secrets.seal(companyId, 'a secret')
  await client.query(`
    update bot_commands set tag_ids = array(select id from tags where company_id = ${companyId} order by id),
      logic = jsonb_build_object('conditions', jsonb_build_array(jsonb_build_object('kind', 'tag', 'has', false,
        'id', (select max(id) from tags where company_id = ${companyId}))))
      where company_id = ${companyId} and command_bot = '2';
    update companies set lead_id = 999999 where id = ${companyId};
    insert into webhooks (company_id, name, url, secret, events, is_active)
      values (${companyId}, 'Loja', 'https://a.test', '${secret}', '{ticket.opened}', true);
    insert into campaign_setups (id, company_id, name, ticket_set_status, t_max, t_min, interval_seconds, auto_start,
        message_footer_type, warm_up, json_button_or_list)
      select gen_random_uuid(), ${companyId}, 'Com botões', 'closed', 10, 2, 30, false, 'buttons', true,
        jsonb_build_object('text', 'Tem interesse?', 'footer', '', 'buttons', jsonb_build_array(jsonb_build_object(
          'buttonId', 'id1', 'buttonText', '{"displayText": "Sim"}'::jsonb, 'type', 1, 'categoryId', null,
          'tagId', (select max(id) from tags where company_id = ${companyId}),
          'queueId', (select max(id) from queues where company_id = ${companyId}))));
    insert into former_users (company_id, id, name) values (${companyId}, 999999, 'Quem saiu');
    update ticket_history set by_user_id = 999999 where company_id = ${companyId}
      and id = (select min(id) from ticket_history where company_id = ${companyId});
    update messages set waits = true, outbox = 'queued', ack = 1, due_at = now() + interval '1 day' where company_id = ${companyId}
      and id = (select id from messages where company_id = ${companyId} and from_me and not waits limit 1)`)
}

/** Columns that change by themselves while somebody is signed in: when a queue is looked at again, and why its tickets wait. */
const ofTheMoment: Record<string, string[]> = {
  queue_assignments: ['look_at', 'returns_at', 'waiting_reason'],
}

/** Rows of them begin and end by the clock. */
const presence = ['user_presence', 'user_availability', 'availability_spells']

/** Every row of the other companies, as one sum a table. */
async function others(companies: number[]) {
  const sums: Record<string, unknown> = {}
  for (const { name, plain } of await carryingPlan(client, carried))
    if (plain !== 'companies' && !presence.includes(plain))
      sums[plain] = await oneOf(
        `select md5(coalesce(string_agg(r, '' order by r), '')) from
           (select (to_jsonb(t) - $2::text[])::text as r from ${name} t where company_id = any ($1)) rows`,
        [companies, ofTheMoment[plain] ?? []],
      )
  return sums
}

const numberOfCompanies = () => oneOf('select count(*)::int from companies where arrival is null')

test('each column that could hold ids is a foreign key, or its feature declares its content', async () => {
  const plan = await carryingPlan(client, carried)
  const open = plan
    .filter(({ how }) => !how.leftBecause)
    .flatMap(table => openColumns(table).map(column => `${table.plain}.${column}`))
  expect(open).toEqual([])
  const known = new Map(plan.map(({ plain, columns }) => [plain, columns.map(({ name }) => name)]))
  const strange = carried.flatMap(({ table, refers, inside, plain, set, fresh }) =>
    [...Object.keys({ ...refers, ...inside, ...set, ...fresh }), ...(plain ?? [])]
      .filter(column => !known.get(table)?.includes(column))
      .map(column => `${table}.${column}`),
  )
  expect(strange).toEqual([])
  expect(carried.filter(({ table }) => !known.has(table))).toEqual([])
})

test('ids are given in the order of their own rows, not in that of the rows that name them', async () => {
  const plan = await carryingPlan(client, carried)
  const early = plan.flatMap(({ plain, spaces }, at) =>
    Object.values(spaces)
      .filter(space => plan.findIndex(table => table.plain === space) > at)
      .map(space => `${plain} before ${space}`),
  )
  // sign-ups stay behind; ids of messages keep their beginning, which orders them
  expect(early).toEqual(['companies before leads', 'tickets before messages'])
})

test('a package holds rows of its company alone, and nothing that the installation notes of itself', async () => {
  const { companyId } = admin.user
  const second = String(await oneOf(`select email from users where email like '%@outra.test'`))
  const names = Object.keys(opened.index.entries).filter(name => name.startsWith('data/'))
  for (const name of names) {
    const lines = (await text(Readable.from(opened.bytes(name)))).split('\n').filter(line => line !== '')
    const column = name === 'data/companies.jsonl' ? 'id' : 'company_id'
    const strange = lines.filter(line => (JSON.parse(line) as Record<string, unknown>)[column] !== companyId)
    expect(strange, name).toEqual([])
    expect(lines.join(), name).not.toContain(second)
  }
  expect(names).toContain('data/messages.jsonl')
  const ofInstallation = ['backups', 'arrivals', 'carried_ids', 'migrations', 'settings']
  expect(names.filter(name => ofInstallation.includes(name.slice('data/'.length, -'.jsonl'.length)))).toEqual(
    [],
  )
})

test('a package whose users are known here, or that was changed, is refused before anything is written', async () => {
  const before = await numberOfCompanies()
  await expect(arrive()).rejects.toThrow(
    /^These e-mails belong to users of this installation already: admin@balcao.test, .*\. Nothing was changed$/,
  )
  const entries = { ...opened.index.entries }
  entries['data/queues.jsonl'] = { ...entries['data/queues.jsonl']!, sha256: '0' }
  const changed = { ...opened, index: { ...opened.index, entries } }
  await expect(arrive({}, changed)).rejects.toThrow('data/queues.jsonl is not what index.json says')
  expect(await numberOfCompanies()).toBe(before)
  expect(await oneOf('select count(*)::int from arrivals')).toBe(0)
})

test('a company arrives under a new id with the same meaning, at the second try as well, beside others that stay as they are', async () => {
  const old = admin.user.companyId
  await client.query(`update users set email = 'ida.' || email where company_id = $1`, [old])
  const every = (await rowsOf('select id from companies')).map(({ id }) => Number(id))
  const before = await others(every)
  await client.query(`insert into terms_versions (version) values ('2026-1')`)
  const broken = () => () => {
    throw new Error('interrupted')
  }
  await expect(arrive({ seal: broken })).rejects.toThrow('interrupted')
  expect(await numberOfCompanies()).toBe(every.length)
  const [coming] = await rowsOf(
    `select id, status, leaving_at is not null as hidden from companies where arrival = 'coming'`,
  )
  expect(coming).toMatchObject({ status: 0, hidden: true })
  // what is due in it waits, and its users cannot log in
  expect(await oneOf('select count(*)::int from users where company_id = $1', [coming!.id])).toBeGreaterThan(
    0,
  )
  const path = `select id from tickets where company_id = $1 order by id limit 1`
  const partial = await oneOf(path, [coming!.id])

  const id = await arrive()
  expect(id).toBe(coming!.id)
  if (partial !== undefined) expect(await oneOf(path, [id])).toBe(partial)
  for (const table of ['arrivals', 'carried_ids'])
    expect(await oneOf(`select count(*)::int from ${table}`), table).toBe(0)
  expect(
    await oneOf(
      'select status || coalesce(arrival, $2) || coalesce(leaving_at::text, $2) from companies where id = $1',
      [id, '.'],
    ),
  ).toBe('1..')
  expect(await others(every)).toEqual(before)
  // what it accepted elsewhere are no terms of this operator
  expect(await oneOf('select terms_due from companies where id = $1', [id])).toBe(true)
  expect(await filesOf(id)).toEqual(await filesOf(old))
  for (const [name, statement] of Object.entries(meanings))
    expect(await rowsOf(statement, [id]), name).toEqual(await rowsOf(statement, [old]))

  expect(
    await rowsOf(
      `select waits, ack, due_at, fail_reason from messages m where company_id = $1 and fail_reason = 'ERR_WAPP_NOT_INITIALIZED'`,
      [id],
    ),
  ).toEqual([{ waits: false, ack: 0, due_at: null, fail_reason: 'ERR_WAPP_NOT_INITIALIZED' }])
  const [webhook] = await rowsOf('select is_active, secret from webhooks where company_id = $1', [id])
  expect(webhook!.is_active).toBe(false)
  expect(app.platform.secrets.open(id, String(webhook!.secret))).toMatch(/^whsec_/)
  await proveAlive(id)
}, 240_000)

test('a row that names no company is of the one that arrives', async () => {
  const packed = await partOf(['companies', 'plans'], row => ({ ...row, company_id: undefined }))
  const ofNobody = 'select count(*)::int from plans where company_id is null'
  const before = await oneOf(ofNobody)
  const id = await arrive({}, packed)
  expect(await rowsOf('select company_id from plans where company_id = $1', [id])).toHaveLength(1)
  expect(await oneOf(ofNobody)).toBe(before)
})

test('a company that has not arrived is given up, and deleted like others, without a trace in past months', async () => {
  const packed = await partOf(['companies', 'plans'], row => row)
  const cut = {
    ...packed,
    bytes: (name: string) => (name === 'data/plans.jsonl' ? failing() : packed.bytes(name)),
  }
  let reads = 0
  async function* failing() {
    // it is read once for its sum
    if (reads++ > 0) throw new Error('the disk is gone')
    yield* packed.bytes('data/plans.jsonl') as AsyncIterable<Buffer>
  }
  await expect(arrive({}, cut)).rejects.toThrow('the disk is gone')
  const id = Number(await oneOf(`select id from companies where arrival = 'coming'`))
  await expect(abandonCompany(app.database.jobs, admin.user.companyId)).rejects.toThrow(
    `No company ${admin.user.companyId} is arriving`,
  )
  const former = await oneOf('select count(*)::int from former_invoices')
  await abandonCompany(app.database.jobs, id)
  await until(
    async () => (await oneOf('select count(*)::int from companies where id = $1', [id])) === 0,
    20_000,
  )
  expect(await oneOf('select count(*)::int from former_invoices')).toBe(former)
})

/** The package with some of its tables alone, and their rows changed. */
async function partOf(
  tables: string[],
  change: (row: Record<string, unknown>) => object,
): Promise<OpenedCompany> {
  const written = new Map<string, string>()
  const entries: OpenedCompany['index']['entries'] = {}
  for (const name of tables.map(table => `data/${table}.jsonl`)) {
    const lines = (await text(Readable.from(opened.bytes(name)))).trim().split('\n')
    const rows = lines.map(line => `${JSON.stringify(change(JSON.parse(line)))}\n`).join('')
    written.set(name, rows)
    entries[name] = {
      ...opened.index.entries[name]!,
      sha256: createHash('sha256').update(rows).digest('hex'),
    }
  }
  const bytes = (name: string) => Readable.from([Buffer.from(written.get(name)!)])
  return { index: { ...opened.index, entries }, bytes, sum: 'a part' }
}

/** A user who got a password logs in, pairs a connection, sees the file; the bot leads a customer into the new queue. */
async function proveAlive(id: number) {
  const login = () => app.as('admin@balcao.test')
  await expect(login()).rejects.toThrow('could not log in')
  await client.query(
    `update users set password_hash = (select password_hash from users where email = 'ida.admin@balcao.test') where company_id = $1`,
    [id],
  )
  const arrived = await login()
  expect(arrived.user.companyId).toBe(id)
  const address = String(
    await oneOf('select media_url from messages where company_id = $1 and media_url is not null', [id]),
  )
  const bytes = async (who: Person) => Buffer.from(await (await who.fetch(address)).arrayBuffer())
  expect((await bytes(arrived)).equals(await bytes(admin))).toBe(true)

  const states = await arrived.get(connections.list)
  expect(states.map(({ status }) => status)).not.toContain('CONNECTED')
  const whatsappId = Number(
    await oneOf('select whatsapp_id from bot_connections where company_id = $1', [id]),
  )
  await arrived.get(connections.start, { params: { whatsappId } })
  const connected = async () =>
    (await arrived.get(connections.show, { params: { whatsappId } })).status === 'CONNECTED'
  await until(connected, 20_000)
  const number = newNumber()
  const write = (body: string) =>
    arrived.get(simulator.write, { params: { whatsappId }, body: { number, name: 'Nina', body } })
  const ticket = (what: string) =>
    oneOf(
      `select ${what} from tickets t join contacts c on c.company_id = t.company_id and c.id = t.contact_id
       left join queues q on q.company_id = t.company_id and q.id = t.queue_id where t.company_id = $1 and c.number = $2`,
      [id, number],
    )
  await write('Oi')
  // what comes before the bot's answer would be one input with the first line
  const answers =
    '(select count(*)::int from messages m where m.company_id = t.company_id and m.ticket_id = t.id and m.from_me)'
  await until(async () => Number(await ticket(answers)) > 0, 20_000)
  await write('4')
  await until(async () => (await ticket('q.name')) === 'Financeiro', 20_000)
}
