import { auth } from '@balcao/contract/auth.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWorld, type World } from '../../../testing/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld({ TRUST_PROXY: '1' })
})
afterAll(() => world.close())

const cookieOf = (answer: Response) => answer.headers.get('set-cookie')?.split(';')[0] ?? ''
const logIn = (email: string, password = 'balcao-demo') =>
  fetch(`${world.url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })

describe('logging in', () => {
  test('answers a token, the user with its company, and a cookie that scripts cannot read', async () => {
    const answer = await logIn('ADMIN@balcao.test')
    const { token, user } = (await answer.json()) as { token: string; user: Record<string, unknown> }
    expect(answer.status).toBe(200)
    expect(token).toMatch(/^ey/)
    expect(user).toMatchObject({ name: 'Helena Prado', company: { companyName: 'Lume Móveis' } })
    expect(JSON.stringify(user)).not.toMatch(/argon2|password/i)
    expect(answer.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Strict/i)
  })

  test('a wrong e-mail and a wrong password are refused alike', async () => {
    const wrongPassword = await logIn('admin@balcao.test', 'wrong')
    const wrongEmail = await logIn('nobody@balcao.test', 'wrong')
    const [a, b] = await Promise.all([wrongPassword.json(), wrongEmail.json()])
    expect([wrongPassword.status, wrongEmail.status]).toEqual([401, 401])
    expect({ ...(a as object), requestId: '' }).toEqual({ ...(b as object), requestId: '' })
  })

  test('too many tries for one account are slowed down, other accounts are not', async () => {
    const answers = await Promise.all(Array.from({ length: 25 }, () => logIn('caio@balcao.test', 'wrong')))
    expect(answers.filter(answer => answer.status === 429).length).toBeGreaterThan(0)
    expect((await logIn('bianca@balcao.test')).status).toBe(200)
  })
})

describe('refreshing', () => {
  const phone = { 'user-agent': 'Telefone' }
  const renew = (cookie: string, headers: Record<string, string> = phone) =>
    fetch(`${world.url}/auth/refresh_token`, { method: 'POST', headers: { cookie, ...headers } })
  const status = async (answer: Promise<Response>) => (await answer).status
  const entered = async (email = 'admin@balcao.test') => cookieOf(await logIn(email))
  /** Trades so many times, one after the other; every cookie there ever was. */
  async function traded(times: number) {
    const cookies = [await entered()]
    while (cookies.length <= times) cookies.push(cookieOf(await renew(cookies.at(-1)!)))
    return cookies
  }
  const later = () =>
    world.platform.database.script(`update sessions set rotated_at = now() - interval '11 seconds'`)

  test('trades the cookie for a new one, again and again', async () => {
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
    await world.platform.database.script(
      `update sessions set expires_at = now() - interval '1 second' where user_id = ${user.id}`,
    )
    expect(await status(renew(cookieOf(answer)))).toBe(401)
    world.platform.access.forget(user.id)
    const list = await fetch(`${world.url}/tickets`, { headers: { authorization: `Bearer ${token}` } })
    expect(list.status).toBe(401)
  })

  test('a company that was switched off neither refreshes nor logs in, and does both when it is on again', async () => {
    const cookie = await entered('admin@outra.test')
    const turn = (status: 0 | 1) =>
      world.platform.database.script(`update companies set status = ${status} where id =
        (select company_id from users where email = 'admin@outra.test')`)
    await turn(0)
    expect(await status(renew(cookie))).toBe(401)
    expect(await status(logIn('admin@outra.test'))).toBe(401)
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
  test('of a session that was ended is refused with 401', async () => {
    const admin = await world.as('admin@balcao.test')
    await admin.get(auth.logout)
    expect((await admin.call(tickets.list)).status).toBe(401)
  })

  test('that was forged is refused with 401, and one that expired with 403', async () => {
    const withToken = (token: string) =>
      fetch(`${world.url}/tickets`, { headers: { authorization: `Bearer ${token}` } })
    expect((await withToken('eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.')).status).toBe(401)
    const { SignJWT } = await import('jose')
    const expired = await new SignJWT({ company: 2, sid: 'x' })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject('2')
      .setAudience('access')
      .setExpirationTime(1)
      .sign(world.platform.secrets.jwt)
    const answer = await withToken(expired)
    expect([answer.status, ((await answer.json()) as { error: string }).error]).toEqual([
      403,
      'ERR_SESSION_EXPIRED',
    ])
  })
})

describe('signing up', () => {
  const account = { name: 'Nova Loja', email: 'nova@loja.test', password: 'segredo' }

  test('makes a company whose admin can log in', async () => {
    expect((await world.nobody.call(auth.signup, { body: account })).status).toBe(200)
    const answer = await logIn(account.email, account.password)
    expect(((await answer.json()) as { user: unknown }).user).toMatchObject({
      profile: 'admin',
      company: { companyName: 'Nova Loja', plan: [{ name: 'Padrão' }] },
    })
  })

  test('with a known e-mail is refused and names the field', async () => {
    const { status, body } = await world.nobody.call(auth.signup, {
      body: { ...account, email: 'Admin@Balcao.test' },
    })
    expect([status, body.error, body.field]).toEqual([409, 'ERR_EMAIL_EXISTS', 'email'])
  })

  test('says in the documents’ words what is wrong with a field', async () => {
    const { status, body } = await world.nobody.call(auth.signup, { body: { ...account, name: 'N' } })
    expect([status, body.field, (body as { message?: string }).message]).toEqual([400, 'name', 'Too Short!'])
  })

  test('can be switched off by the platform', async () => {
    await world.platform.database.script(
      `insert into settings (key, value) values ('userCreation', 'disabled')`,
    )
    const { status, body } = await world.nobody.call(auth.signup, { body: { ...account, email: 'x@y.test' } })
    expect([status, body.error]).toEqual([403, 'ERR_USER_CREATION_DISABLED'])
  })
})
