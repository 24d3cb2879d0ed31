import { accounts } from '@balcao/contract/accounts.ts'
import { auth } from '@balcao/contract/auth.ts'
import { queues } from '@balcao/contract/queues.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../../testing/test-app.ts'
import { passwordFits, type Stranger, strangerAt } from '../access/passwords.ts'
import { Memory } from '../memory.ts'
import { networkOf, openLimits, Tally } from './rate-limits.ts'

const MINUTE = 60_000
const noon = 29_000_000 * MINUTE

describe('counting', () => {
  test('what was counted a minute ago is forgotten little by little', () => {
    const tally = new Tally()
    for (let n = 0; n < 10; n++) tally.add('ana', noon)
    expect(tally.wait('ana', 10, noon)).toBe(61)
    expect(tally.wait('ana', 11, noon)).toBe(0)
    expect(tally.wait('ana', 5, noon + MINUTE)).toBe(31)
    expect(tally.wait('ana', 5, noon + 1.6 * MINUTE)).toBe(0)
    expect(tally.wait('ana', 1, noon + 2 * MINUTE)).toBe(0)
  })

  test('who waits as long as he was told may come again', () => {
    const tally = new Tally()
    for (let n = 0; n < 40; n++) tally.add('ana', noon + n * 500)
    const at = noon + 20_000
    const wait = tally.wait('ana', 20, at)
    expect(wait).toBeGreaterThan(0)
    expect(tally.wait('ana', 20, at + wait * 1_000)).toBe(0)
  })

  test('what was taken back did not happen', () => {
    const tally = new Tally()
    const takeBack = tally.add('ana', noon)
    tally.add('ana', noon + MINUTE)
    takeBack()
    expect(tally.wait('ana', 2, noon + MINUTE)).toBe(0)
  })

  test('a flood of other names makes nobody forgotten, and is counted as a crowd', () => {
    const tally = new Tally()
    for (let n = 0; n < 20; n++) tally.add('ana', noon)
    for (let n = 0; n < 200_000; n++) tally.add(`odd ${n}`, noon)
    expect(tally.wait('ana', 20, noon)).toBeGreaterThan(0)
    expect(tally.wait('somebody else', 50, noon)).toBeGreaterThan(0)
  })

  test('an IPv6 network is one caller, and a mapped address is the IPv4 address it stands for', () => {
    expect(networkOf('2001:db8:1:2::a')).toBe(networkOf('2001:db8:1:2:ffff::b'))
    expect(networkOf('2001:db8:1:3::a')).not.toBe(networkOf('2001:db8:1:2::a'))
    expect(networkOf('::ffff:10.1.2.3')).toBe('10.1.2.3')
    expect(networkOf('unknown')).toBe('unknown')
  })
})

const times = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n))

describe('at the door', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await openTestApp({ TRUST_PROXY: '1' })
  })
  afterAll(() => app.close())

  let networks = 0
  const newAddress = () => `10.0.${Math.floor(++networks / 250)}.${1 + (networks % 250)}`
  const post = (path: string, body: object, address: string) =>
    fetch(app.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify(body),
    })
  const login = (email: unknown, password: unknown, address: string) =>
    post('/auth/login', { email, password }, address)
  const statuses = async (answers: Promise<Response>[]) =>
    (await Promise.all(answers)).map(({ status }) => status)

  test('one address that tries many links is stopped, and told when to come again', async () => {
    const address = newAddress()
    const { caller } = accounts.reset.limit!
    const reset = (n: number) =>
      post('/auth/reset', { token: `x${n}`, password: 'um segredo longo' }, address)
    const tried = await statuses(times(caller, reset))
    expect(tried).not.toContain(429)
    const refused = await reset(caller)
    expect(refused.status).toBe(429)
    expect(((await refused.json()) as { error: string }).error).toBe('ERR_TOO_MANY_REQUESTS')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(120)
    expect((await login('marina@x.test', 'segredo', newAddress())).status).toBe(401)
  })

  test('a body that is no login is no failed login: it stops such bodies of its address, and no login', async () => {
    const address = newAddress()
    const { caller } = auth.login.limit!
    const tried = await statuses(times(caller, () => post('/auth/login', {}, address)))
    expect(new Set(tried)).toEqual(new Set([400]))
    expect((await post('/auth/login', {}, address)).status).toBe(429)
    expect((await login('bianca@balcao.test', 'balcao-demo', address)).status).toBe(200)
  })

  test('who logs in is not counted: an office shares an address', async () => {
    const address = newAddress()
    for (let n = 0; n < 3; n++) {
      const tries = await statuses(times(10, () => login('bianca@balcao.test', 'balcao-demo', address)))
      expect(new Set(tries)).toEqual(new Set([200]))
    }
  })

  const forgot = (email: unknown, address: string) => post('/auth/forgot', { email }, address)

  test('an account that is asked for from many addresses is closed to them, and other accounts are not', async () => {
    const { account } = accounts.forgot.limit!
    const from = times(3, newAddress)
    const tries = await statuses(
      from.flatMap(address => times(account!, () => forgot('caio@balcao.test', address))),
    )
    expect(new Set(tries)).toEqual(new Set([409]))
    expect((await forgot(' CAIO@balcao.test', newAddress())).status).toBe(429)
    expect((await forgot('bianca@balcao.test', newAddress())).status).toBe(409)
  })

  test('odd bodies do not make an account forgotten', async () => {
    const address = newAddress()
    const { account } = accounts.forgot.limit!
    await statuses(times(account!, () => forgot('helena@balcao.test', address)))
    for (const odd of [undefined, null, 7, {}, [], 'x'.repeat(5_000)])
      await statuses(times(10, n => forgot(odd ?? `${n}`, newAddress())))
    expect((await forgot('helena@balcao.test', address)).status).toBe(429)
  })

  test('companies are not made by the hundred from one address', async () => {
    const address = newAddress()
    const { caller } = auth.signup.limit!
    const join = (n: number) =>
      post('/auth/signup', { name: 'Loja', email: `s${n}@loja.test`, password: 'um-segredo' }, address)
    const answers = await statuses(times(caller + 5, join))
    expect(answers.toSorted()).toEqual([...times(caller, () => 200), ...times(5, () => 429)])
  })

  test('empty calls from ten addresses end no session and keep no user out', async () => {
    const mine = newAddress()
    const { headers } = await login('caio@balcao.test', 'balcao-demo', mine)
    const cookie = headers.getSetCookie().map(one => one.split(';')[0]!)
    const from = times(10, newAddress)
    const empty = (path: string) =>
      statuses(from.flatMap(address => times(30, () => post(path, {}, address))))
    expect(new Set(await empty('/auth/login'))).toEqual(new Set([400]))
    expect(new Set(await empty('/auth/refresh_token'))).toEqual(new Set([401]))
    const refreshed = await fetch(`${app.url}/auth/refresh_token`, {
      method: 'POST',
      headers: { 'x-forwarded-for': from[0]!, cookie: cookie.join('; ') },
    })
    expect(refreshed.status).toBe(200)
    expect((await login('helena@balcao.test', 'wrong', newAddress())).status).toBe(401)
  })
})

describe('a limit of all', () => {
  const limit = { counts: 'failures', caller: 60, all: 600 } as const
  const caller = (name: string, shown: string | null = null) => ({ name, companyId: null, shown })
  const refused = expect.objectContaining({ code: 'ERR_TOO_MANY_REQUESTS' })
  const flooded = () => {
    const { attempt } = openLimits(0)
    for (let n = 0; n < 600; n++) attempt('login', limit, caller(`stranger ${n % 12}`), null)
    return attempt
  }

  test('that is used up slows strangers down, and refuses none who comes for the first time', () => {
    const attempt = flooded()
    expect(() => attempt('login', limit, caller('stranger 1'), null)).toThrow(refused)
    for (let n = 0; n < 6; n++) attempt('login', limit, caller('somebody new'), null)
    expect(() => attempt('login', limit, caller('somebody new'), null)).toThrow(refused)
  })

  test('says nothing of who shows what was signed before, from the address of the strangers too', () => {
    const attempt = flooded()
    for (let n = 0; n < 60; n++) attempt('login', limit, caller('stranger 1', 'a device of user 7'), null)
    expect(() => attempt('login', limit, caller('stranger 1', 'a device of user 7'), null)).toThrow(refused)
    // where its own counter is used up, it counts like others of its address
    attempt('login', limit, caller('another address', 'a device of user 7'), null)
  })

  test('is a bound where it is of a service of others', () => {
    const { attempt } = openLimits(0)
    const helper = { counts: 'calls', caller: 5, outside: 20 } as const
    for (let n = 0; n < 20; n++) attempt('helper', helper, caller(`stranger ${n}`), null)
    expect(() => attempt('helper', helper, caller('new'), null)).toThrow(refused)
  })
})

test('whoever calls without end is refused for a while, and his colleagues are not', async () => {
  const app = await openTestApp({ REQUESTS_PER_MINUTE: '40' })
  const [marina, helena] = [await app.as('atendente@balcao.test'), await app.as('admin@balcao.test')]
  const called = await Promise.all(Array.from({ length: 45 }, () => marina.call(queues.list)))
  const answered = called.filter(({ status }) => status === 200).length
  expect([40, 41]).toContain(answered) // one more when a minute ends meanwhile
  const [refused] = called.filter(({ status }) => status === 429)
  expect(refused!.body.error).toBe('ERR_TOO_MANY_REQUESTS')
  expect(Number(refused!.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await helena.call(queues.list)).status).toBe(200)
  // anonymous calls are counted by address
  const strangers = await Promise.all(Array.from({ length: 400 }, () => app.anonymous.call(queues.list)))
  expect(strangers.some(({ status }) => status === 429)).toBe(true)
  await app.close()
})

test('passwords of strangers are compared in turn by address; who is known waits behind none of them', async () => {
  const product = { memory: new Memory() }
  const order: string[] = []
  const compare = (who: string, by: string | Stranger) =>
    passwordFits(product, 'segredo', undefined, by).then(
      () => void order.push(who),
      error => expect(error).toMatchObject({ code: 'ERR_TOO_MANY_REQUESTS', retryAfter: expect.any(Number) }),
    )
  const crowd = times(40, () => compare('crowd', strangerAt('10.0.0.1')))
  const others = [compare('another address', strangerAt('10.0.0.2')), compare('known', 'user 7')]
  await Promise.all([...crowd, ...others])
  expect(order.indexOf('known')).toBeLessThan(4)
  expect(order.indexOf('another address')).toBeLessThan(4)
  // the one at work and those that may wait
  expect(order.filter(who => who === 'crowd')).toHaveLength(33)
})

test('all tokens of a company count together, and those of another do not', () => {
  const { attempt } = openLimits(0)
  const limit = { counts: 'calls', caller: 60, company: 100 } as const
  const send = (companyId: number, token: number) =>
    attempt('public send', limit, { name: `token ${companyId} ${token}`, companyId }, null)
  for (let at = 0; at < 100; at++) send(1, at % 50)
  expect(() => send(1, 99)).toThrow(expect.objectContaining({ code: 'ERR_TOO_MANY_REQUESTS' }))
  expect(() => send(2, 99)).not.toThrow()
})
