import { auth } from '@balcao/contract/auth.ts'
import { plans } from '@balcao/contract/plans.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp, until } from '../../testing/test-app.ts'
import { readConfig } from '../platform/config.ts'
import { rowsFrom, sql as tag } from '../platform/postgres/sql.ts'
import { demoAccounts, demoEmails, refuseDemoAccounts } from './demo.accounts.ts'
import { demoCompanies, removeDemo } from './demo-removal.ts'
import { firstStart } from './first-start.ts'
import { makeMaster } from './master.ts'
import { demoOffers } from './offers.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

const platform = () => app.platform.scopes.platform()
const admitted = (env: Record<string, string>) =>
  refuseDemoAccounts(readConfig({ DATA_DIR: '/srv/balcao', ...env }), app.database)
const logIn = async (email: string, password: string) =>
  (await app.anonymous.call(auth.login, { body: { email, password } })).status
const companiesLeft = async () =>
  (
    await platform().transaction(sql =>
      rowsFrom<{ name: string }>(sql, tag`select name from companies order by 1`),
    )
  ).map(({ name }) => name)
const production = { NODE_ENV: 'production' }
const external = { DATABASE_URL: 'postgres://db.test/x', JWT_SECRET: 'Yd0vT2r7Qm5xKp9sLw3uZb8nHc4fGj6a' }

test('every account that demo data makes is known by its address, and opens with the published password', async () => {
  const found = await platform().transaction(demoAccounts)
  expect(found.every(({ isOpen }) => isOpen)).toBe(true)
  expect(found.map(({ email }) => email).toSorted()).toEqual(
    // the clinic comes with the demo's year
    demoEmails.filter(email => !email.endsWith('@clinica.test')).toSorted(),
  )
})

test('a production start on the accounts of a trial is refused in one line that names the way on, also of a renamed one', async () => {
  await expect(admitted(production)).rejects.toThrow(
    /^DATA_DIR \/srv\/balcao holds 6 accounts of the demo, such as master@balcao.test, with the password that everybody knows: npm run demo -- remove takes .* away, or give another DATA_DIR$/,
  )
  await expect(admitted({ ...production, ...external })).rejects.toThrow(
    /^The database of DATABASE_URL holds 6 /,
  )
  await admitted({})
  await admitted({ ...production, DEMO: '1' })
  expect((await firstStart({ ...app.platform, config: readConfig({ DEMO: '0' }) }))[0]).toMatch(
    /^Accounts of the demo are here/,
  )
  await app.database.script(`update users set email = 'dona@loja.com' where email = 'admin@outra.test'`)
  await expect(admitted(production)).rejects.toThrow('holds 6 accounts')
  await app.database.script(`update users set email = 'admin@outra.test' where email = 'dona@loja.com'`)
})

test('the removal takes the companies of the demo, closes its accounts where a master came since, and leaves the others alone', async () => {
  await platform().transaction(demoOffers)
  const { status } = await app.anonymous.call(auth.signup, {
    body: { name: 'Loja', email: 'loja@real.test', password: 'segredo-da-loja' },
  })
  expect(status).toBe(200)
  const owner = { email: 'dona@real.test', password: 'senha-da-dona', platformName: 'Balcão' }
  await makeMaster(platform(), owner)
  const found = await platform().transaction(demoCompanies)
  expect(found.map(({ name, goes, others }) => [name, goes, others])).toEqual([
    ['Balcão', false, ['dona@real.test']],
    ['Lume Móveis', true, []],
    ['Padaria Outra', true, []],
  ])

  await app.database.script(`
    with shop as (select c.id, p.id as plan_id from companies c join plans p on p.company_id = c.id where c.name = 'Lume Móveis'),
      paid as (insert into payments (company_id, source, value, paid_on) select id, 'manual', 9990, '2020-01-05' from shop)
    insert into invoices (company_id, plan_id, start_invoice_period, end_invoice_period, value, billing_type, due_date, recurrence, anchor)
      select id, plan_id, '2020-01-01', '2020-01-31', 9990, 'PIX', '2020-01-01', 1, 1 from shop;
    insert into charges (company_id, invoice_id, state, attempts, due_at)
      select id, 1, 'unwanted', 1, now() + interval '1 day' from companies where name = 'Lume Móveis'`)
  expect((await removeDemo(platform())).length).toBe(3)
  for (const email of demoEmails) expect(await logIn(email, 'balcao-demo'), email).toBeGreaterThan(400)
  await admitted(production)
  expect(await removeDemo(platform()), 'the second time').toEqual([])
  // what its provider reports until its charges are cancelled
  await app.database.script(`
    insert into payments (company_id, source, value, paid_on) select id, 'provider', 9990, '2020-01-05' from companies where name = 'Lume Móveis';
    delete from charges`)
  // before their rows are deleted their addresses are free
  await makeMaster(platform(), { ...owner, email: 'admin@balcao.test' })
  expect(await logIn('admin@balcao.test', owner.password)).toBe(200)

  await until(async () => (await companiesLeft()).length === 2)
  expect(await companiesLeft()).toEqual(['Balcão', 'Loja'])
  // no month of revenue holds money of the demo
  const kept = tag`select day::text from former_receipts union all select start_period::text from former_invoices
    union all select key from settings where key like 'demo.%'`
  expect(await platform().transaction(sql => rowsFrom(sql, kept))).toEqual([])
  expect([
    await logIn('loja@real.test', 'segredo-da-loja'),
    await logIn('dona@real.test', owner.password),
  ]).toEqual([200, 200])
  expect((await app.anonymous.get(plans.public)).plans).toEqual([])
})
