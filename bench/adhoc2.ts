import pg from 'pg'
import { drizzle } from 'drizzle-orm/node-postgres'
import { and, desc, eq, inArray } from 'drizzle-orm'
import { selectTickets, toTicket } from '../apps/server/src/features/tickets/tickets.queries.ts'
import { tickets } from '../apps/server/src/features/tickets/tickets.table.ts'
const client = new pg.Client({ connectionString: 'postgres://postgres@127.0.0.1:5432/balcao_bench' }); await client.connect()
const db = drizzle(client)
const make = () => { const page = db.select({ id: tickets.id }).from(tickets).where(and(eq(tickets.companyId, 1), eq(tickets.status, 'closed'))).orderBy(desc(tickets.updatedAt), desc(tickets.id)).limit(41)
 return selectTickets(db as never).where(and(eq(tickets.companyId, 1), inArray(tickets.id, page))).orderBy(desc(tickets.updatedAt), desc(tickets.id)) }
const { sql, params } = make().toSQL()
const bench = async (name: string, f: () => unknown, n = 1500) => { for (let i = 0; i < 100; i++) await f(); const c = process.cpuUsage(); for (let i = 0; i < n; i++) await f(); const d = process.cpuUsage(c); console.log(name.padEnd(24), 'user', (d.user / 1000 / n).toFixed(3), 'sys', (d.system / 1000 / n).toFixed(3)) }
await bench('select 1', () => client.query('select 1'))
await bench('build', () => make().toSQL())
await bench('raw array named', () => client.query({ text: sql, values: params, rowMode: 'array', name: 'x' }))
await bench('raw objects named', () => client.query({ text: sql, values: params, name: 'y' }))
const json = `select coalesce(json_agg(r), '[]')::text as rows from (${sql.replace('select "tickets"."id"', 'select "tickets"."id"')}) r`
await bench('drizzle', async () => (await make()).map(toTicket))
const prep = make().prepare('zz'); await bench('drizzle prepared', async () => (await prep.execute()).map(toTicket as never))
await bench('5 empty', async () => { await client.query('begin; set local role balcao_tenant; set local app.company_id = 1'); await client.query('commit') })
await client.end()
