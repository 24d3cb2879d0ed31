import { viewerFrom } from '@balcao/contract/permissions.rules.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { writeList } from '../apps/server/src/features/tickets/lists/lists.queries.ts'
import { loadTickets, selectTickets } from '../apps/server/src/features/tickets/tickets.queries.ts'
import { findUser } from '../apps/server/src/features/users/users.queries.ts'
import { Memory } from '../apps/server/src/platform/memory.ts'
import { createLog } from '../apps/server/src/platform/observe/log.ts'
import { openDatabase, type Sql, together } from '../apps/server/src/platform/postgres/db.ts'
import { sqlOver } from '../apps/server/src/platform/postgres/drizzle/session.ts'
import { migrate } from '../apps/server/src/platform/postgres/migrate.ts'
import { cork } from '../apps/server/src/platform/postgres/pg/cork.ts'
import { serverTypes } from '../apps/server/src/platform/postgres/pg/types.ts'
import { sql as tag } from '../apps/server/src/platform/postgres/sql.ts'
import { scopes } from '../apps/server/src/platform/scope.ts'
import { createDatabase } from '../apps/server/testing/postgres.ts'
import { datasetScript, sizeOf } from './dataset.ts'
import { serverUrl } from './place.ts'

/** What each trick gains over the plain version that it replaces: `node bench/tricks.ts`, with a PostgreSQL server. */
const SECONDS = 2
const ROUNDS = 4
const CALLERS = 8

const { url, drop } = await createDatabase(serverUrl())
const database = openDatabase(url)
const pool = new pg.Pool({ connectionString: url, max: CALLERS, pipeline: true })
await migrate(database)
await database.script(await datasetScript({ ...sizeOf(0.02), companies: 2, longTicket: 500 }))
await database.script('vacuum analyze')

type Work = () => Promise<unknown>

/** The same three look-ups in one transaction, as the pool of the product asks them. */
function raw(corked: boolean): Work {
  const ask = (client: pg.PoolClient, name: string, text: string) => client.query({ name, text, values: [1] })
  return async () => {
    const client = await pool.connect()
    if (corked) cork(client)
    client.query('begin read only')
    await Promise.all([
      ask(client, 'a', 'select id from tickets where company_id = $1 order by id limit 1'),
      ask(client, 'b', 'select name from companies where id = $1'),
      ask(client, 'c', 'select id from queues where company_id = $1 limit 1'),
    ])
    const end = client.query('commit')
    client.release()
    return end
  }
}

const lookUps = ['tickets', 'contacts', 'queues', 'users'].map(
  table => (sql: Sql) =>
    sql.execute(tag.raw(`select id from ${table} where company_id = 1 order by id limit 1`)),
)

const asking =
  (ask: (sql: Sql) => Promise<unknown>): Work =>
  () =>
    database.read('', ask)

async function oneByOne(sql: Sql) {
  for (const lookUp of lookUps) await lookUp(sql)
}

const inOnePiece = (sql: Sql) => together(sql, ...lookUps.map(lookUp => () => lookUp(sql)))

const bound = new WeakMap<pg.PoolClient, { theirs: Work; ours: Work }>()

const listing = (which: (of: { theirs: Work; ours: Work }) => Work) => async () => {
  const client = await pool.connect()
  const known = bound.get(client) ?? { theirs: forty(drizzle(client)), ours: forty(ownSession(client)) }
  bound.set(client, known)
  await which(known)()
  client.release()
}

const theirs = (of: { theirs: Work }) => of.theirs
const ours = (of: { ours: Work }) => of.ours

const forty = (sql: Pick<Sql, 'select'>): Work => {
  const list = selectTickets(sql as Sql)
    .limit(40)
    .prepare('forty')
  return () => list.execute()
}

const ownSession = (client: pg.PoolClient) =>
  sqlOver((text, values, rowMode) =>
    client.query({
      name: 'own',
      text,
      values,
      types: serverTypes,
      rowMode: rowMode as 'array',
    }),
  )

/**
 * A page read every time, and the same sent again where its rows have not changed. The plain one knows which tickets
 * are on the page, and is that much faster than it would be.
 */
async function lists(): Promise<[Work, Work]> {
  const door = scopes({
    database,
    memory: new Memory(),
    log: createLog({ logLevel: 'error' }),
    timeZone: 'UTC',
    publish: () => {},
    involve: async () => {},
    enqueue: async () => {},
  }).platform()
  const viewer = viewerFrom(await door.transaction(sql => findUser(sql, 1, 1)))
  const scope = door.inCompany(1, viewer)
  const input = { status: 'open' as const, showAll: true }
  const page = JSON.parse((await writeList(scope, input)).json) as { tickets: { id: number }[] }
  const ids = page.tickets.map(({ id }) => id)
  const read = async () => ({ ...page, tickets: await scope.list(tx => loadTickets(tx, ids)) })
  return [async () => JSON.stringify(tickets.list.reply.parse(await read())), () => writeList(scope, input)]
}

interface Figures {
  perSecond: number
  /** Of this process, for one. */
  cpuMs: number
}

async function compare(name: string, plain: Work, trick: Work) {
  const [one, other]: [Figures[], Figures[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    one.push(await measure(plain))
    other.push(await measure(trick))
  }
  const [before, after] = [best(one), best(other)]
  const times = (a: number, b: number) => `${(a / b).toFixed(2)} x`
  console.log(
    `${name}: ${before.perSecond.toFixed(0)} -> ${after.perSecond.toFixed(0)} a second (${times(after.perSecond, before.perSecond)}), ` +
      `${before.cpuMs.toFixed(3)} -> ${after.cpuMs.toFixed(3)} ms of the processor (${times(before.cpuMs, after.cpuMs)})`,
  )
}

async function measure(work: Work): Promise<Figures> {
  await work()
  let done = 0
  const begin = performance.now()
  const cpu = process.cpuUsage()
  const call = async () => {
    while (performance.now() - begin < SECONDS * 1_000) {
      await work()
      done++
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, call))
  const { user, system } = process.cpuUsage(cpu)
  return {
    perSecond: (done * 1_000) / (performance.now() - begin),
    cpuMs: (user + system) / 1_000 / done,
  }
}

/** Others use the machine too: the best round is the one that was disturbed least. */
const best = (all: Figures[]): Figures => ({
  perSecond: Math.max(...all.map(one => one.perSecond)),
  cpuMs: Math.min(...all.map(one => one.cpuMs)),
})

await compare('cork: a transaction of three look-ups', raw(false), raw(true))
await compare('together: four look-ups of a transaction', asking(oneByOne), asking(inOnePiece))
await compare('own session: a list of 40 tickets', listing(theirs), listing(ours))
await compare('marks (xmin): page 1 of the open tickets', ...(await lists()))

await pool.end()
await database.close()
await drop()
