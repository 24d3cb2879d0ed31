import { auth } from '@balcao/contract/auth.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWorld, type World } from '../../../testing/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const post = (path: string, cookie?: string) =>
  fetch(world.url + path, { method: 'POST', headers: { ...(cookie && { cookie }) } })
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
  test('trades the cookie for a new one', async () => {
    const first = cookieOf(await logIn('admin@balcao.test'))
    const answer = await post('/auth/refresh_token', first)
    expect(answer.status).toBe(200)
    expect(cookieOf(answer)).not.toBe(first)
  })

  test('two tabs that refresh at once both stay in', async () => {
    const cookie = cookieOf(await logIn('admin@balcao.test'))
    const answers = await Promise.all([
      post('/auth/refresh_token', cookie),
      post('/auth/refresh_token', cookie),
    ])
    expect(answers.map(answer => answer.status)).toEqual([200, 200])
  })

  test('a cookie used long after it was traded ends the session for both holders', async () => {
    const stolen = cookieOf(await logIn('admin@balcao.test'))
    const kept = cookieOf(await post('/auth/refresh_token', stolen))
    await world.platform.database.script(`update sessions set rotated_at = now() - interval '1 minute'`)
    expect((await post('/auth/refresh_token', stolen)).status).toBe(401)
    expect((await post('/auth/refresh_token', kept)).status).toBe(401)
  })

  test('without a cookie there is no session', async () => {
    expect((await post('/auth/refresh_token')).status).toBe(401)
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
