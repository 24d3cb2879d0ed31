import { auth } from '@balcao/contract/auth.ts'
import { companies } from '@balcao/contract/companies.ts'
import { plans } from '@balcao/contract/plans.ts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { freshFolder, runOperatorCommand, runToEnd, startProcess } from '../../testing/process.ts'
import { openTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { masterCommand } from '../master.command.ts'
import { readConfig } from '../platform/config.ts'
import { rowsFrom, sql as tag } from '../platform/postgres/sql.ts'
import { product } from '../product.ts'
import { firstStart } from './first-start.ts'
import { makeMaster } from './master.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ DEMO: '0' }, { product })
})
afterAll(() => app.close())

const start = (env: Record<string, string> = {}) =>
  firstStart({ ...app.platform, config: readConfig({ DEMO: '0', ...env }) })
const logIn = (email: string, password: string) =>
  app.anonymous.call(auth.login, { body: { email, password } })
const named = (email: string, password = 'uma-senha-boa') => ({
  MASTER_EMAIL: email,
  MASTER_PASSWORD: password,
})
const signUp = (email: string) =>
  app.anonymous.call(auth.signup, { body: { name: 'Loja', email, password: 'uma-senha-boa' } })
const settingsAs = (token: string) =>
  fetch(`${app.url}/settings`, { headers: { authorization: `Bearer ${token}` } })

describe('the master', () => {
  test('is missed aloud, also after strangers have signed up', async () => {
    expect(await start()).toEqual([
      'Nobody is master of this platform: npm run master -- EMAIL makes one.',
      expect.stringMatching(/^No plan is offered, so nobody can sign up/),
    ])
    const { status, body } = await signUp('estranha@loja.test')
    expect([status, body.error]).toEqual([404, 'ERR_NO_PLAN_FOUND'])
    expect((await app.anonymous.get(plans.public)).plans).toEqual([])
    await app.database.script('update plans set status = true')
    expect((await start())[1]).toMatch(/^Sign-up is open/)
    expect((await signUp('estranha@loja.test')).status).toBe(200)
    expect((await start())[0]).toMatch(/^Nobody is master/)
  })

  test('is made once by the start that names it, though strangers were first and two start together', async () => {
    const env = named('operadora@balcao.test')
    const said = (await Promise.all([start(env), start(env)])).map(lines => lines[0])
    expect(said.sort()).toEqual([
      'The master user is operadora@balcao.test.',
      'The master user operadora@balcao.test was made.',
    ])
    const { body } = await logIn('operadora@balcao.test', 'uma-senha-boa')
    expect((await settingsAs(body.token)).status).toBe(200)
  })

  test('is not replaced in silence by another name', async () => {
    expect((await start(named('outra@balcao.test')))[0]).toBe(
      'The master user is operadora@balcao.test: MASTER_EMAIL changes nothing, npm run master -- outra@balcao.test does.',
    )
    expect((await logIn('outra@balcao.test', 'uma-senha-boa')).status).toBe(401)
  })

  test('whose company was switched off counts as none, and a stranger with its address is put out', async () => {
    await app.database.script(`update companies set status = 0 where email = 'operadora@balcao.test'`)
    const stranger = await logIn('estranha@loja.test', 'uma-senha-boa')
    expect((await start(named('estranha@loja.test', 'senha-do-operador')))[0]).toMatch(/was made/)
    expect((await logIn('estranha@loja.test', 'uma-senha-boa')).status).toBe(401)
    expect((await logIn('estranha@loja.test', 'senha-do-operador')).body.user).toMatchObject({ master: 1 })
    expect((await settingsAs(stranger.body.token)).status).toBe(401)
  })
})

test('a master who gets a new password loses what was pending with the former: links, letters, known devices', async () => {
  const email = 'estranha@loja.test'
  const its = `from users where email = '${email}'`
  await app.database.script(`
    insert into account_links (company_id, user_id, purpose, email, language, expires_at)
      select company_id, id, p, 'ladra@rua.test', 'ptBR', now() + interval '1 hour' ${its.replace('from users', "from users, unnest(array['reset', 'email']) p")};
    insert into mails (company_id, cause, recipient, letter)
      select company_id, 'reset:' || id || ':x', email, '{}' ${its};
    update users set credentials_at = now() - interval '1 day' where email = '${email}'`)
  const account = { email, password: 'senha-do-operador', platformName: 'Balcão' }
  expect(await makeMaster(app.platform.scopes.platform(), account)).toBe('reset')
  const [left] = await app.database.transaction('', tx =>
    rowsFrom(
      tx,
      tag`select (select count(*)::int from account_links where user_id = u.id) as links,
        (select state from mails where cause = 'reset:' || u.id || ':x') as letter,
        credentials_at > now() - interval '1 minute' as anew from users u where email = ${email}`,
    ),
  )
  expect(left).toEqual({ links: 0, letter: 'failed', anew: true })
})

describe('sign-up', () => {
  test('is closed and opened by a master, and the first start’s word does not come back [AUTH-017, ENTITY-003, OP-44]', async () => {
    const { body } = await logIn('estranha@loja.test', 'senha-do-operador')
    const choose = (settingKey: string, value: string) =>
      fetch(`${app.url}/settings/${settingKey}`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${body.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ value }),
      })
    expect(await (await choose('userCreation', 'disabled')).json()).toEqual({
      key: 'userCreation',
      value: 'disabled',
    })
    const { status, body: refused } = await signUp('tarde@loja.test')
    expect([status, refused.error]).toEqual([403, 'ERR_USER_CREATION_DISABLED'])
    expect((await start({ USER_CREATION: 'enabled' }))[1]).toBe('Sign-up is closed.')
    expect(await (await settingsAs(body.token)).json()).toContainEqual({
      key: 'userCreation',
      value: 'disabled',
    })
    await choose('userCreation', 'enabled')
    expect((await app.anonymous.get(companies.branding)).userCreation).toBe('enabled')
    expect((await choose('other', 'enabled')).status).toBe(404)
    expect((await choose('userCreation', 'maybe')).status).toBe(400)
  })
})

describe('npm run master', () => {
  const run = (env: Record<string, string>, MASTER_PASSWORD: string) =>
    runOperatorCommand(masterCommand, { ...env, MASTER_PASSWORD }, ['eu@balcao.test'])

  test('makes one on an empty folder, resets it, also beside a running product, and says in one line what is wrong', async () => {
    const folder = freshFolder()
    const env = { DATA_DIR: folder.path, DEMO: '0', USER_CREATION: 'disabled' }
    const made = await run(env, 'primeira-senha')
    expect(made).toEqual({ how: 0, output: 'eu@balcao.test is master of the platform and can log in.\n' })
    const reset = await run(env, 'segunda-senha')
    expect([reset.how, reset.output]).toEqual([0, expect.stringMatching(/with the new password/)])
    const short = await run(env, 'curta')
    expect(short).toEqual({ how: 1, output: 'MASTER_PASSWORD takes at least 8 characters\n' })
    const anonymous = await runToEnd(env, ['../src/master.ts'])
    expect(anonymous).toEqual({ how: 1, output: 'Say whose: npm run master -- EMAIL\n' })

    const product = await startProcess(env)
    expect(product.output()).toMatch(/^The master user is eu@balcao.test.\nSign-up is closed.\n/)
    const opened = await fetch(`${product.url}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'eu@balcao.test', password: 'segunda-senha' }),
    })
    expect(((await opened.json()) as { user: Person['user'] }).user.master).toBe(1)
    const beside = await run(env, 'terceira-senha')
    expect([beside.how, beside.output]).toEqual([0, expect.stringMatching(/with the new password/)])
    await product.stop()
    folder.remove()
  })
})
