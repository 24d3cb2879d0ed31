import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CLIENTS, clientPaths, OPERATORS_COMPANY } from '../../../bench/clients.ts'
import { CONTACTS_COMPANY, contactPaths } from '../../../bench/contacts.ts'
import { datasetScript, emailOf, PASSWORD, QUIET, type Size } from '../../../bench/dataset.ts'
import type { Request } from '../../../bench/load.ts'
import { paths as ticketPaths } from '../../../bench/paths.ts'
import { type Cost, costOf, recordStatements } from '../testing/costs.ts'
import { freshDatabase } from '../testing/database.ts'
import { partitionByCompany } from '../testing/partitioned.ts'
import { enter } from '../testing/person.ts'
import { openTestApp, until } from '../testing/test-app.ts'
import { rowsFrom, sql as tag } from './platform/postgres/sql.ts'

/**
 * Each path of the bench that reads by what it costs the database when it is asked and asked again: statements, pages that are looked at, rows that are looked at in vain, on
 * two data sets of which one is ten times the other. The figures are those of bench/costs.json; they rise only in the open:
 * `COSTS=write npm test -- costs` writes them, and what is written there as `grows` says why a path may.
 * `PARTITIONED=1 npm test -- costs` compares the same paths on tables with partitions by a hash of the company (132).
 */
const FILE = new URL('../../../bench/costs.json', import.meta.url)

interface Kept {
  small: Cost
  large: Cost
  /** Why it may cost more than so many times as much where there is ten times as much. */
  grows?: string
}

/** Another page or two is luck: where a row lies on its page differs from run to run. */
const CHANCE = 1.25
const ROOM = 12
/** Ten times as many rows: an index is one page deeper, and a page of a list lies further apart. */
const GROWTH = 2

const sizeOf = (factor: number): Size => ({
  ...{ companies: 5, users: 3, queues: 4, connections: 2, longTicket: 200 * factor },
  ...{ open: QUIET + 20 * factor, pending: 120 * factor, closed: 120 * factor },
  ...{ contacts: QUIET + 180 * factor, messages: 3_000 * factor },
})
/** Besides, for the lists of contacts and of companies. */
const MANY = { small: 1_100, large: 11_000 }

/** Beside all contacts of the company: what a row costs does not depend on how many there are. */
const SHEET = '250 rows of a spreadsheet of contacts'

const isPartitioned = process.env.PARTITIONED === '1'

const costs = { small: new Map<string, Cost>(), large: new Map<string, Cost>() }
const recorded = recordStatements()
beforeAll(async () => {
  await count('small', sizeOf(1))
  await count('large', sizeOf(10))
}, 240_000)
afterAll(() => recorded.stop())

const known: Record<string, Kept> = existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {}
/** What a write costs depends on what leaves meanwhile. */
const reads = ticketPaths.filter(({ name }) => name.startsWith('GET '))
const names = [
  ...reads.map(({ name }) => name),
  ...contactPaths({ contacts: 0 } as Size).map(([name]) => nameOf(name)),
  ...clientPaths.map(([name]) => `${CLIENTS}, ${name}`),
  ...(isPartitioned ? [] : [SHEET]),
]

test('no path of the bench costs its database more than bench/costs.json says', () => {
  const now: Record<string, Kept> = Object.fromEntries(
    names.map(name => {
      const { grows } = known[name] ?? {}
      return [name, { small: costs.small.get(name)!, large: costs.large.get(name)!, ...(grows && { grows }) }]
    }),
  )
  if (process.env.COSTS === 'write') writeFileSync(FILE, `${JSON.stringify(now, null, 2)}\n`)
  else expect(names.flatMap(name => risen(name, now[name]!, known[name]))).toEqual([])
})

test('where there is ten times as much, a list costs at most twice as much', () => {
  const grown = names.filter(name => {
    const [small, large] = [costs.small.get(name)!, costs.large.get(name)!]
    const mayBe = (few: number) => few * GROWTH + 5 * ROOM
    return large.blocks > mayBe(small.blocks) || large.discarded > mayBe(small.discarded)
  })
  expect(grown.filter(name => !known[name]?.grows)).toEqual([])
})

function risen(name: string, now: Kept, before: Kept | undefined): string[] {
  if (!before) return [`${name} has no figures yet`]
  return (['small', 'large'] as const).flatMap(scale =>
    (['statements', 'blocks', 'discarded'] as const)
      .filter(
        what =>
          now[scale][what] >
          before[scale][what] * (what === 'statements' ? 1 : CHANCE) + (what === 'statements' ? 0 : ROOM),
      )
      .map(what => `${name}, ${scale}: ${now[scale][what]} ${what} instead of ${before[scale][what]}`),
  )
}

/** The number of rows in a name is that of the bench. */
function nameOf(name: string) {
  return name.replace(/ of \d+$/, '')
}

async function count(scale: 'small' | 'large', size: Size) {
  const database = await freshDatabase()
  await database.script(await datasetScript(size))
  await database.script(moreOf(MANY[scale], size))
  if (isPartitioned) await partitionByCompany(database)
  await settleStatistics(database)
  const app = await openTestApp({ DEMO: '0' }, { database })
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    const people = new Map<string, Promise<string>>()
    const as = (company: number, user: number) => {
      const email = emailOf(company, user)
      if (!people.has(email))
        people.set(
          email,
          enter(app.url, email, PASSWORD).then(({ token }) => token),
        )
      return people.get(email)!
    }
    const half = () => 0.5
    for (const { name, user, next } of reads)
      costs[scale].set(
        name,
        await twice(app.url, client, await as(1, user), ofLong(next(size, half)(), size)),
      )
    for (const [name, next] of contactPaths({ ...size, contacts: 0 }, () => 0))
      costs[scale].set(
        nameOf(name),
        await twice(app.url, client, await as(CONTACTS_COMPANY, 1), deep(next(), MANY[scale])),
      )
    for (const [name, next] of clientPaths)
      costs[scale].set(
        `${CLIENTS}, ${name}`,
        await twice(app.url, client, await as(OPERATORS_COMPANY, 1), deep(next(), MANY[scale])),
      )
    const token = await as(CONTACTS_COMPANY, 1)
    // partitions are only read here
    if (!isPartitioned) costs[scale].set(SHEET, await costOfSheet(database, { url: app.url, client, token }))
  } finally {
    await client.end()
    await app.close()
  }
}

/** A transaction that began before the rows, such as an analysis in the background, keeps a vacuum from marking their pages. */
async function settleStatistics(database: TestDatabase, ...tables: string[]) {
  const own = tables.length > 0 ? tag`and relname = any(${`{${tables}}`}::text[])` : tag``
  const unmarked = tag`select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
    and relallvisible < relpages ${own}`
  await until(async () => {
    await database.script(`vacuum analyze ${tables}`)
    return (await database.transaction('', sql => rowsFrom(sql, unmarked))).length === 0
  })
}

type TestDatabase = Awaited<ReturnType<typeof freshDatabase>>

/** The far page of a list of so many rows. */
const deep = (request: Request, rows: number): Request => ({
  ...request,
  path: request.path.replace(/pageNumber=(500|400)/, `pageNumber=${Math.floor(rows / 25)}`),
})

/** The middle and the last page of the long conversation. */
const ofLong = (request: Request, { longTicket }: Size): Request => ({
  ...request,
  path: request.path
    .replace('pageNumber=60', `pageNumber=${Math.ceil(longTicket / 80)}`)
    .replace('pageNumber=125', `pageNumber=${Math.ceil(longTicket / 40)}`),
})

/** What reads its rows, asked once more when there are as many others: the end of an import removes its own. */
async function costOfSheet(
  database: TestDatabase,
  { url, client, token }: { url: string; client: pg.Client; token: string },
): Promise<Cost> {
  const headers = { authorization: `Bearer ${token}` }
  const form = new FormData()
  const rows = Array.from({ length: 250 }, (_, at) => `Pessoa ${at};5511981${String(at).padStart(6, '0')}`)
  form.append('file', new File([['nome;numero', ...rows].join('\n')], 'lista.csv', { type: 'text/csv' }))
  const sheets = `${url}/contacts/sheets`
  const asked = async <Reply>(given: RequestInit = {}) =>
    (await (await fetch(sheets, { headers, ...given })).json()) as Reply
  const state = async () => (await asked<{ sheet: { state: string } | null }>()).sheet?.state
  const { id } = await asked<{ id: number }>({ method: 'POST', body: form })
  await until(async () => (await state()) === 'ready')
  await fetch(`${sheets}/${id}/start`, { method: 'POST', headers })
  await until(async () => (await state()) === 'done')
  const touched = ['contact_sheet_rows', 'contact_identifiers', 'contacts']
  // rows that are gone are looked at until a vacuum takes them
  await settleStatistics(database, ...touched)
  await client.query(`insert into contact_sheet_rows (company_id, sheet_id, "row", cells, name, number, email, key, state)
      select ${CONTACTS_COMPANY}, ${id}, n, '[]', 'Pessoa ' || n, '5511982' || lpad(n::text, 6, '0'), '',
        '5511982' || lpad(n::text, 6, '0'), 'fresh' from generate_series(1, 250) n`)
  await settleStatistics(database, ...touched)
  return costOf(client, [
    recorded.all().findLast(({ text }) => text.includes('from contact_sheet_rows r where'))!,
  ])
}

let requests = 0

/** What is asked and asked again, together: the first look, and the next one, which finds what was kept of it. */
async function twice(url: string, client: pg.Client, token: string, request: Request): Promise<Cost> {
  const [first, again] = [await sentFor(url, token, request), await sentFor(url, token, request)]
  return costOf(client, [...first, ...again])
}

async function sentFor(url: string, token: string, { path, headers }: Request) {
  // what is known of a session is kept for seconds: it is known anew before each look
  await fetch(`${url}/tags`, { headers: { authorization: `Bearer ${token}` } })
  const trace = `cost-${String(requests++).padStart(8, '0')}`
  const answer = await fetch(url + path, {
    headers: { authorization: `Bearer ${token}`, 'x-request-id': trace, ...headers },
  })
  if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${await answer.text()}`)
  await answer.arrayBuffer()
  return recorded.of(trace)
}

/** Contacts as a spreadsheet of the bench has them, and companies as its operator has. */
const moreOf = (rows: number, { companies }: Size) => `
  update users set master = 1 where email = '${emailOf(OPERATORS_COMPANY, 1)}';
  insert into contacts (company_id, name, number, email)
    select ${CONTACTS_COMPANY}, 'Cliente planilha ' || lpad(n::text, 5, '0'), '551198' || lpad(n::text, 7, '0'),
      'cliente' || lpad(n::text, 5, '0') || '@lista.test' from generate_series(0, ${rows - 1}) n;
  insert into contact_identifiers (company_id, kind, value, contact_id)
    select company_id, 'phone', number, id from contacts where number like '551198%' on conflict do nothing;
  insert into companies (id, name, company_name, email)
    select c, 'Cliente ' || lpad(c::text, 5, '0'), 'Cliente ' || c || ' Ltda', 'cliente' || c || '@bench.test'
    from generate_series(${companies + 1}, ${rows}) c;`
