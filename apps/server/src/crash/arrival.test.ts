import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { accounts } from '@balcao/contract/accounts.ts'
import { clients } from '@balcao/contract/clients.ts'
import { contacts } from '@balcao/contract/contacts.ts'
import { messages } from '@balcao/contract/messages.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { trackLeftovers } from '../../testing/leftovers.ts'
import { openTicket } from '../../testing/open-ticket.ts'
import { runOperatorCommand, startProgram } from '../../testing/process.ts'
import { sample } from '../../testing/sample.ts'
import { freshStore } from '../../testing/store.ts'
import { openTestApp, until } from '../../testing/test-app.ts'
import { dataCommand } from '../data.command.ts'
import { openDatabase } from '../platform/postgres/db.ts'

vi.setConfig({ testTimeout: 180_000 })

const { leftovers } = trackLeftovers()

test('an import of a company that is killed shows nothing of it beside the serving product, and the next one goes on and brings all of it, once, with a link for its admin', async () => {
  const store = await freshStore()
  leftovers.push(store.remove)
  const { env, rows } = store
  const app = await openTestApp(env, { database: openDatabase(env.DATABASE_URL!) })
  leftovers.push(app.close)
  const admin = await app.as('admin@balcao.test')
  const { companyId } = admin.user
  const bytes = new TextEncoder().encode('um recibo')
  const ticketId = await openTicket(admin)
  await admin.get(messages.send, {
    params: { ticketId, companyId },
    body: { id: crypto.randomUUID(), body: 'recibo' },
    files: [{ name: 'nota.txt', type: 'text/plain', bytes }],
  })
  // a closed ticket has segments
  await admin.get(tickets.change, { params: { ticketId }, body: { status: 'closed' } })
  await until(async () => (await rows(`select from messages where waits`)).length === 0)
  const files = join(env.DATA_DIR!, 'files')
  const file = join(env.DATA_DIR!, 'company.zip')
  const command = (args: string[], other: Record<string, string> = {}) =>
    runOperatorCommand(dataCommand, { ...env, ...other }, args)
  const exported = await command(['export', file, '--company', String(companyId)])
  expect(exported.output).toContain('tables and files')
  await rows(`update users set email = 'ida.' || email where company_id = ${companyId}`)
  const figures = () =>
    rows(`select (select count(*)::int from companies where arrival is null) as companies,
      (select count(*)::int from invoices) as invoices, (select count(*)::int from payments) as payments`)
  const before = await figures()
  const master = await app.as('master@balcao.test')
  const listed = async () => (await master.get(clients.list, { query: {} })).companies.length
  const shown = await listed()
  const coming = async () =>
    (await rows(`select id from companies where arrival = 'coming'`)).map(({ id }) => id)
  const known = new Set<unknown>()

  const arrive = (other: Record<string, string> = {}) => command(['import', file, '--company'], other)
  const elsewhere = await arrive({ DATA_DIR: join(env.DATA_DIR!, 'other') })
  expect(elsewhere.output).toContain('is not where the other processes of this database keep files')
  const unread = await arrive({ JWT_SECRET: [...env.JWT_SECRET!].reverse().join('') })
  expect(unread.output).toContain('is not the secret that sealed what the database holds')

  const holding = new pg.Client(env.DATABASE_URL)
  await holding.connect()
  leftovers.push(() => holding.end())
  for (const table of sample(['contacts', 'messages', 'ticket_segments'], 1)) {
    // the import waits there
    await holding.query(`begin; lock table ${table} in share mode`)
    const child = startProgram(env, ['../src/data.ts', 'import', file, '--company'])
    const waits = `select from pg_locks where not granted and relation = '${table}'::regclass`
    await until(async () => (await rows(waits)).length > 0, 60_000)
    await child.kill()
    expect(await child.ended).toBe('SIGKILL')
    await holding.query('rollback')
    // the server ends what the dead process was doing
    const locks = `select from pg_locks where locktype = 'advisory' and objid = 7262474`
    await until(async () => (await rows(locks)).length === 0, 20_000)
    expect(await figures()).toEqual(before)
    expect(await listed()).toBe(shown)
    for (const id of await coming()) known.add(id)
  }
  expect(known.size).toBe(1)

  const { how, output } = await arrive()
  expect([how, output]).toEqual([0, expect.stringMatching(/ is company \d+, with every row and file of /)])
  const id = Number(/is company (\d+)/.exec(output)![1])
  expect([...known]).toEqual([id])
  for (const table of ['contacts', 'tickets', 'messages', 'ticket_history', 'ticket_segments', 'users']) {
    const [counted] = await rows(`select count(*) filter (where company_id = ${companyId})::int as old,
      count(*) filter (where company_id = ${id})::int as arrived from ${table}`)
    expect(counted!.arrived, table).toBe(counted!.old)
  }
  const [after] = await figures()
  expect(after!.companies).toBe(Number(before[0]!.companies) + 1)
  expect(await listed()).toBe(shown + 1)
  const filesOf = (company: number) => readdirSync(join(files, String(company)), { recursive: true }).sort()
  expect(filesOf(id)).toEqual(filesOf(companyId))
  const folders = readdirSync(files).filter(name => /^\d+$/.test(name))
  expect(folders.every(name => Number(name) <= id)).toBe(true)
  const [, token] = /admin@balcao\.test sets a password: \/reset#(\S+)/.exec(output) ?? []
  await app.anonymous.get(accounts.reset, { body: { token: token!, password: 'balcao-demo' } })
  expect((await app.as('admin@balcao.test')).user.companyId).toBe(id)
  const stranger = await app.as('admin@outra.test')
  expect((await stranger.call(contacts.list)).status).toBe(200)
})
