import { auth } from '@balcao/contract/auth.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { users } from '@balcao/contract/users.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../../testing/test-app.ts'
import { hashPassword } from '../../platform/access/passwords.ts'
import { rowsFrom, sql } from '../../platform/postgres/sql.ts'
import { tried } from './auth.tries.queries.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ TRUST_PROXY: '1' })
})
afterAll(() => app.close())

const cookieOf = (answer: Response) => answer.headers.get('set-cookie')?.split(';')[0] ?? ''
const logIn = (email: string, password = 'balcao-demo') =>
  fetch(`${app.url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })

describe('logging in', () => {
  test('answers a token, the user with its company, and a cookie that scripts cannot read [AUTH-006, AUTH-019, API-003, OP-40]', async () => {
    const answer = await logIn('ADMIN@balcao.test')
    const { token, user } = (await answer.json()) as { token: string; user: Record<string, unknown> }
    expect(answer.status).toBe(200)
    expect(token).toMatch(/^ey/)
    expect(user).toMatchObject({ name: 'Helena Prado', company: { companyName: 'Lume Móveis' } })
    expect(JSON.stringify(user)).not.toMatch(/argon2|password/i)
    expect(answer.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Strict/i)
  })

  test('a wrong e-mail and a wrong password are refused alike [AUTH-018, OP-41]', async () => {
    const wrongPassword = await logIn('admin@balcao.test', 'wrong')
    const wrongEmail = await logIn('nobody@balcao.test', 'wrong')
    const [a, b] = await Promise.all([wrongPassword.json(), wrongEmail.json()])
    expect([wrongPassword.status, wrongEmail.status]).toEqual([401, 401])
    expect({ ...(a as object), requestId: '' }).toEqual({ ...(b as object), requestId: '' })
  })

  let from = 0
  /** Each try from another address of one neighbourhood, or from one that is named. */
  const guess = (email: string, password = 'wrong', cookie = '', address = `198.51.100.${++from % 250}`) =>
    fetch(`${app.url}/auth/login`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': address,
        cookie,
      },
      body: JSON.stringify({ email, password }),
    })
  const deviceOf = (answer: Response) =>
    answer.headers
      .getSetCookie()
      .find(cookie => cookie.startsWith('balcao_device='))!
      .split(';')[0]!
  const many = (times: number, email: string, password?: string, cookie?: string) =>
    Promise.all(Array.from({ length: times }, () => guess(email, password, cookie)))
  const refused = (answers: Response[]) => answers.filter(({ status }) => status === 429).length

  test('an account is tried ten times an hour from one neighbourhood; its owner gets in from where he was before', async () => {
    const device = deviceOf(await logIn('caio@balcao.test'))
    expect(refused(await many(30, 'CAIO@balcao.test'))).toBe(20)
    const fromElsewhere = await guess('caio@balcao.test', 'balcao-demo')
    expect(fromElsewhere.status).toBe(429)
    expect(Number(fromElsewhere.headers.get('retry-after'))).toBeGreaterThan(30)
    expect((await guess('caio@balcao.test', 'balcao-demo', device)).status).toBe(200)
    expect((await logIn('bianca@balcao.test')).status).toBe(200)
  })

  test('strangers at many addresses lock no user out of an account: a right password is answered from elsewhere', async () => {
    const email = 'atendente@balcao.test'
    for (let network = 0; network < 12; network++)
      await Promise.all(Array.from({ length: 3 }, () => guess(email, 'wrong', '', `203.0.${network}.7`)))
    // a network that failed before has no more tries, one that comes for the first time has a few
    expect((await guess(email, 'balcao-demo', '', '203.0.1.9')).status).toBe(429)
    expect((await guess(email, 'wrong', '', '192.0.2.1')).status).toBe(401)
    expect((await guess(email, 'balcao-demo', '', '192.0.2.1')).status).toBe(200)
    const more = await Promise.all(Array.from({ length: 6 }, () => guess(email, 'wrong', '', '192.0.3.1')))
    expect(refused(more)).toBe(3)
    await app.platform.database.script('delete from login_tries')
  })

  test('so is one that nobody has', async () => {
    expect(refused(await many(15, 'nobody-at-all@balcao.test'))).toBe(5)
  })

  test('when the tries are used up the right password is not told either', async () => {
    await many(10, 'bianca@balcao.test')
    expect((await guess('bianca@balcao.test', 'balcao-demo')).status).toBe(429)
  })

  test('the waits grow, the count is shared by processes, and what is long past is forgotten', async () => {
    const email = 'waits@balcao.test'
    const later = (interval: string) =>
      app.platform.database.script(
        `update login_tries set tried_at = tried_at - interval '${interval}', next_at = next_at - interval '${interval}'`,
      )
    await many(10, email)
    const waits: number[] = []
    for (let round = 0; round < 3; round++) {
      waits.push(Number((await guess(email)).headers.get('retry-after')))
      await later('32 minutes')
      expect((await guess(email)).status).toBe(401)
    }
    expect(waits.map(seconds => Math.round(seconds / 60))).toEqual([1, 2, 4])
    await later('3 hours')
    expect(refused(await many(10, email))).toBe(0)
  })

  test('a known device is counted by itself, and is not known any more when the password was set anew', async () => {
    const admin = await app.as('admin@balcao.test')
    const { id: userId } = (await app.as('atendente@balcao.test')).user
    const device = deviceOf(await logIn('atendente@balcao.test'))
    expect(refused(await many(14, 'atendente@balcao.test', 'wrong', device))).toBe(4)
    expect((await guess('atendente@balcao.test', 'balcao-demo')).status).toBe(200)
    const second = deviceOf(await logIn('atendente@balcao.test'))
    const forged = `${second.slice(0, -4)}AAAA`
    await many(10, 'atendente@balcao.test')
    expect((await guess('atendente@balcao.test', 'balcao-demo', forged)).status).toBe(429)
    expect((await guess('bianca.x@balcao.test', 'wrong', second)).status).toBe(401)
    await admin.get(users.change, { params: { userId }, body: { password: 'balcao-demo' } })
    expect((await guess('atendente@balcao.test', 'balcao-demo', second)).status).toBe(429)
    await app.platform.database.script('delete from login_tries')
  })

  const stranger = 'admin@outra.test'
  /** Logs in while a transaction does these, a part of a second apart. */
  async function logInDuring(password: string, first: string, then: string) {
    let answer: Promise<Response> | undefined
    await app.platform.database.transaction('', async tx => {
      await tx.execute(sql.raw(first))
      answer = guess(stranger, password)
      await tx.execute(sql.raw('select pg_sleep(1)'))
      await tx.execute(sql.raw(then))
    })
    return (await answer!).status
  }

  test('a wrong password opens nothing, also when its wait ends while it is counted', async () => {
    const what = tried('account', stranger)
    await app.platform.database.script(
      `insert into login_tries (what, failures, tried_at, next_at) values ('${what}', 1, now(), now())`,
    )
    const waits = `update login_tries set next_at = clock_timestamp() + interval '0.8 s' where what = '${what}'`
    expect([401, 429]).toContain(await logInDuring('wrong', waits, 'select 1'))
    await app.platform.database.script('delete from login_tries')
  })

  test('a password that was right opens nothing when another was set before the session stands', async () => {
    const its = `email = '${stranger}'`
    const [before] = await app.platform.database.transaction('', tx =>
      rowsFrom<{ hash: string }>(tx, sql`select password_hash as hash from users where email = ${stranger}`),
    )
    const set = (hash: string) =>
      `update users set password_hash = '${hash}', credentials_at = clock_timestamp() where ${its}`
    const another = set(await hashPassword(app.platform, 'outra-senha', 'a test'))
    const status = await logInDuring('balcao-demo', `select 1 from users where ${its} for update`, another)
    expect(status).toBe(401)
    await app.platform.database.script(`${set(before!.hash)}; delete from login_tries`)
  })
})

describe('refreshing', () => {
  const phone = { 'user-agent': 'Telefone' }
  const renew = (cookie: string, headers: Record<string, string> = phone) =>
    fetch(`${app.url}/auth/refresh_token`, { method: 'POST', headers: { cookie, ...headers } })
  const status = async (answer: Promise<Response>) => (await answer).status
  const entered = async (email = 'admin@balcao.test') => cookieOf(await logIn(email))
  /** Trades so many times, one after the other; every cookie there ever was. */
  async function traded(times: number) {
    const cookies = [await entered()]
    while (cookies.length <= times) cookies.push(cookieOf(await renew(cookies.at(-1)!)))
    return cookies
  }
  const later = () =>
    app.platform.database.script(`update sessions set rotated_at = now() - interval '11 seconds'`)

  test('trades the cookie for a new one, again and again [API-003, OP-40]', async () => {
    const cookies = await traded(4)
    expect(new Set(cookies).size).toBe(5)
    expect(await status(renew(cookies[4]!))).toBe(200)
  })

  test('answers again, once, to the client whose answer was lost: with the same cookie', async () => {
    const [first, second] = await traded(1)
    const again = await renew(first!)
    expect([again.status, cookieOf(again)]).toEqual([200, second])
    expect(await status(renew(second!))).toBe(200)
  })

  test('two tabs that refresh at once both stay in', async () => {
    const cookie = await entered()
    const answers = await Promise.all([renew(cookie), renew(cookie)])
    expect(answers.map(answer => answer.status)).toEqual([200, 200])
    expect(cookieOf(answers[0]!)).toBe(cookieOf(answers[1]!))
    expect(await status(renew(cookieOf(answers[1]!)))).toBe(200)
  })

  test('a second time the answer is not lost: the session ends for all who hold it', async () => {
    const [first, second] = await traded(1)
    expect(await status(renew(first!))).toBe(200)
    expect(await status(renew(first!))).toBe(401)
    expect(await status(renew(second!))).toBe(401)
  })

  test.each([
    ['another browser', { 'user-agent': 'Outro' }],
    ['another address', { ...phone, 'x-forwarded-for': '203.0.113.9' }],
  ])('a cookie that was just traded ends the session when it comes from %s', async (_who, headers) => {
    const [first, second] = await traded(1)
    expect(await status(renew(first!, headers))).toBe(401)
    expect(await status(renew(second!))).toBe(401)
  })

  test('a cookie used long after it was traded ends the session for both holders', async () => {
    const [stolen, kept] = await traded(1)
    await later()
    expect(await status(renew(stolen!))).toBe(401)
    expect(await status(renew(kept!))).toBe(401)
  })

  test.each([0, 1, 2])('so does one that was traded long before: the %ith of five', async at => {
    const cookies = await traded(4)
    expect(await status(renew(cookies[at]!))).toBe(401)
    expect(await status(renew(cookies[4]!))).toBe(401)
  })

  test('only the session of the reused cookie ends', async () => {
    const other = await entered()
    const [stolen] = await traded(2)
    expect(await status(renew(stolen!))).toBe(401)
    expect(await status(renew(other))).toBe(200)
  })

  test('an expired session is refused, and its access with it', async () => {
    const answer = await logIn('bianca@balcao.test')
    const { token, user } = (await answer.json()) as { token: string; user: { id: number } }
    await app.platform.database.script(
      `update sessions set expires_at = now() - interval '1 second' where user_id = ${user.id}`,
    )
    expect(await status(renew(cookieOf(answer)))).toBe(401)
    app.platform.access.forget(user.id)
    const list = await fetch(`${app.url}/tickets`, { headers: { authorization: `Bearer ${token}` } })
    expect(list.status).toBe(401)
  })

  test('a company that was switched off neither refreshes nor logs in, and does both when it is on again [COMPANY-019, OP-45]', async () => {
    const cookie = await entered('admin@outra.test')
    const turn = (status: 0 | 1) =>
      app.platform.database.script(`update companies set status = ${status} where id =
        (select company_id from users where email = 'admin@outra.test')`)
    await turn(0)
    expect(await status(renew(cookie))).toBe(401)
    const off = await logIn('admin@outra.test')
    expect([off.status, await off.json()]).toEqual([
      403,
      expect.objectContaining({ error: 'ERR_COMPANY_OFF' }),
    ])
    const wrong = await logIn('admin@outra.test', 'wrong')
    expect([wrong.status, await wrong.json()]).toEqual([
      401,
      expect.objectContaining({ error: 'ERR_INVALID_CREDENTIALS' }),
    ])
    await turn(1)
    expect(await status(renew(cookie))).toBe(200)
  })

  test('a cookie that was made up ends nothing', async () => {
    const cookie = await entered()
    const [name, token] = cookie.split('=') as [string, string]
    const [sessionId, , signed] = token.split('.') as [string, string, string]
    const madeUp = [
      `${sessionId}.7.${signed}`,
      `${sessionId}.0.${'A'.repeat(43)}`,
      `${crypto.randomUUID()}.0.${signed}`,
      `${sessionId}.0`,
      signed,
    ]
    for (const odd of madeUp) expect([odd, await status(renew(`${name}=${odd}`))]).toEqual([odd, 401])
    expect(await status(renew(cookie))).toBe(200)
  })

  test('without a cookie there is no session', async () => {
    expect(await status(renew(''))).toBe(401)
  })
})

describe('the token', () => {
  test('of a session that was ended is refused with 401 [AUTH-010, API-003]', async () => {
    const admin = await app.as('admin@balcao.test')
    await admin.get(auth.logout)
    expect((await admin.call(tickets.list)).status).toBe(401)
  })

  test('that was forged is refused with 401, and one that expired with 403 [ERR-018, OP-39]', async () => {
    const withToken = (token: string) =>
      fetch(`${app.url}/tickets`, { headers: { authorization: `Bearer ${token}` } })
    expect((await withToken('eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.')).status).toBe(401)
    const { SignJWT } = await import('jose')
    const expired = await new SignJWT({ company: 2, sid: 'x' })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject('2')
      .setAudience('access')
      .setExpirationTime(1)
      .sign(app.platform.secrets.jwt.signing)
    const answer = await withToken(expired)
    expect([answer.status, ((await answer.json()) as { error: string }).error]).toEqual([
      403,
      'ERR_SESSION_EXPIRED',
    ])
  })
})

describe('signing up', () => {
  const account = { name: 'Nova Loja', email: 'nova@loja.test', password: 'uma-senha-boa' }

  test('makes a company whose admin can log in [API-003, OP-42]', async () => {
    expect((await app.anonymous.call(auth.signup, { body: account })).status).toBe(200)
    const answer = await logIn(account.email, account.password)
    expect(((await answer.json()) as { user: unknown }).user).toMatchObject({
      profile: 'admin',
      company: { companyName: 'Nova Loja', plan: [{ name: 'Padrão' }] },
    })
  })

  test('names the company apart from its first person, and says which name is wrong', async () => {
    const signUp = (companyName: string) =>
      app.anonymous.call(auth.signup, {
        body: { name: 'Dona Lia', companyName, email: 'lia@padaria.test', password: 'uma-senha-boa' },
      })
    expect(await signUp('P')).toMatchObject({ status: 400, body: { field: 'companyName' } })
    expect((await signUp('Padaria da Lia')).status).toBe(200)
    expect(await (await logIn('lia@padaria.test', 'uma-senha-boa')).json()).toMatchObject({
      user: { name: 'Dona Lia', company: { companyName: 'Padaria da Lia' } },
    })
  })

  test('with a known e-mail is refused and names the field', async () => {
    const { status, body } = await app.anonymous.call(auth.signup, {
      body: { ...account, email: 'Admin@Balcao.test' },
    })
    expect([status, body.error, body.field]).toEqual([409, 'ERR_EMAIL_EXISTS', 'email'])
  })

  test('says in the documents’ words what is wrong with a field [AUTH-008]', async () => {
    const { status, body } = await app.anonymous.call(auth.signup, { body: { ...account, name: 'N' } })
    expect([status, body.field, (body as { message?: string }).message]).toEqual([400, 'name', 'Too Short!'])
  })

  test('can be switched off by the platform [AUTH-016]', async () => {
    await app.platform.database.script(
      `insert into settings (key, value) values ('userCreation', 'disabled')`,
    )
    const { status, body } = await app.anonymous.call(auth.signup, {
      body: { ...account, email: 'x@y.test' },
    })
    expect([status, body.error]).toEqual([403, 'ERR_USER_CREATION_DISABLED'])
  })
})
