import { readFileSync } from 'node:fs'
import { overServer } from '../apps/server/src/platform/db.ts'
import { scopes as make } from '../apps/server/src/platform/scope.ts'
import { listTickets } from '../apps/server/src/features/tickets/tickets.search.ts'
import { listMessages } from '../apps/server/src/features/messages/messages.search.ts'
import { send } from '../apps/server/src/features/messages/messages.actions.ts'
import { selectUsers } from '../apps/server/src/features/users/users.queries.ts'
import { viewerFrom } from '@balcao/contract/permissions.rules.ts'
import { users } from '../apps/server/src/features/users/users.table.ts'
import { eq, sql as tag } from 'drizzle-orm'
import { tickets } from '@balcao/contract/tickets.ts'
const db = overServer('postgres://postgres@127.0.0.1:5432/balcao_bench', 1)
const scopes = make({ database: db, announce() {}, enqueue: async () => {} })
const viewer = async (id: number) => viewerFrom((await scopes.platform().transaction(sql => selectUsers(sql, eq(users.id, id))))[0]! as never)
const admin = scopes.inCompany(1, await viewer(1)), att = scopes.inCompany(1, await viewer(2))
const pid = await scopes.platform().transaction(async sql => ((await sql.execute(tag`select pg_backend_pid() as pid`)) as any).rows[0].pid)
const pgcpu = () => { const s = readFileSync(`/proc/${pid}/stat`, 'utf8').split(' '); return (Number(s[13]) + Number(s[14])) * 10 }
const N = Number(process.argv[2] ?? 300)
const only = process.argv[3] ?? ''
const pick = (a: string[]) => a[Math.floor(Math.random() * a.length)]!
const cases: [string, () => Promise<unknown>][] = [
  ['empty tx', () => admin.transaction(async () => 1)],
  ['open attendant', () => listTickets(att, { status: 'open' } as never)],
  ['closed attendant', () => listTickets(att, { status: 'closed' } as never)],
  ['closed admin', () => listTickets(admin, { status: 'closed', showAll: true } as never)],
  ['jump 500', () => listTickets(admin, { status: 'closed', showAll: true, pageNumber: 500, searchInitialDate: `2000-01-01T00:00:00.${100 + Math.floor(Math.random() * 900)}Z` } as never)],
  ['search rare', () => listTickets(admin, { tab: 'search', showAll: true, searchParam: 'ornitorrinco' } as never)],
  ['search product', () => listTickets(admin, { tab: 'search', showAll: true, searchParam: pick(['cristaleira', 'cooktop', 'biombo', 'beliche']) } as never)],
  ['search two', () => listTickets(admin, { tab: 'search', showAll: true, searchParam: pick(['sofá Campinas', 'orçamento futon', 'garantia divã']) } as never)],
  ['search common', () => listTickets(admin, { tab: 'search', showAll: true, searchParam: pick(['pedido', 'entrega']) } as never)],
  ['search name', () => listTickets(admin, { tab: 'search', showAll: true, searchParam: pick(['Heloísa Vasconcelos', 'Igor', 'yasmin nog', 'teixeira']) } as never)],
  ['search number', () => listTickets(admin, { tab: 'search', showAll: true, searchParam: pick(['60001234', '6000777']) } as never)],
  ['messages 10', () => listMessages(admin, 2 + Math.floor(Math.random() * 190), {})],
  ['messages 5000 p1', () => listMessages(admin, 1, {})],
  ['messages 5000 p60', () => listMessages(admin, 1, { pageNumber: 60 })],
  ['send', () => send(admin, 201 + Math.floor(Math.random() * 2000), { body: 'Bom dia, tudo bem?' })],
]
for (const [name, work] of cases.filter(([n]) => n.includes(only))) {
  for (let i = 0; i < 12; i++) await work()
  const n = name.startsWith('search') ? Math.ceil(N / 5) : N
  const c0 = process.cpuUsage(), p0 = pgcpu(), s0 = db.statements(), t0 = performance.now()
  for (let i = 0; i < n; i++) await work()
  const c = process.cpuUsage(c0)
  console.log(name.padEnd(20), 'node', ((c.user + c.system) / 1000 / n).toFixed(2), 'pg', ((pgcpu() - p0) / n).toFixed(2), 'ms cpu; wall', ((performance.now() - t0) / n).toFixed(2), 'stmts', (db.statements() - s0) / n)
}
const answer = await listTickets(admin, { status: 'closed', showAll: true } as never)
const t0 = process.cpuUsage(); for (let i = 0; i < 500; i++) JSON.stringify(tickets.list.reply.parse(answer)); const c = process.cpuUsage(t0); console.log('parse+stringify', (c.user / 500000).toFixed(3))
const t1 = process.cpuUsage(); for (let i = 0; i < 500; i++) JSON.stringify(answer); const c1 = process.cpuUsage(t1); console.log('stringify', (c1.user / 500000).toFixed(3))
await db.close()
