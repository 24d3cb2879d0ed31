import { auth } from '@balcao/contract/auth.ts'
import { queues } from '@balcao/contract/queues.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWorld, type World } from '../../testing/world.ts'
import { networkOf, Tally } from './http.limits.ts'
import { hashPassword, passwordFits } from './passwords.ts'

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

describe('at the door', () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld({ TRUST_PROXY: '1' })
  })
  afterAll(() => world.close())

  let networks = 0
  const newAddress = () => `10.0.${Math.floor(++networks / 250)}.${1 + (networks % 250)}`
  const post = (path: string, body: object, address: string) =>
    fetch(world.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify(body),
    })
  const login = (email: unknown, password: unknown, address: string) =>
    post('/auth/login', { email, password }, address)
  const statuses = async (answers: Promise<Response>[]) =>
    (await Promise.all(answers)).map(({ status }) => status)
  const times = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n))

  test('one address that tries many accounts is stopped, and told when to come again', async () => {
    const address = newAddress()
    const { caller } = auth.login.limit!
    // without a password there is nothing to compare: a try all the same
    const tried = await statuses(times(caller, n => login(`a${n}@x.test`, '', address)))
    expect(new Set(tried)).toEqual(new Set([400]))
    const refused = await login('one-more@x.test', 'segredo', address)
    expect(refused.status).toBe(429)
    expect(((await refused.json()) as { error: string }).error).toBe('ERR_TOO_MANY_REQUESTS')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(120)
    expect((await login('marina@x.test', 'segredo', newAddress())).status).toBe(401)
  })

  test('who logs in is not counted: an office shares an address', async () => {
    const address = newAddress()
    for (let n = 0; n < 3; n++) {
      const tries = await statuses(times(10, () => login('bianca@balcao.test', 'balcao-demo', address)))
      expect(new Set(tries)).toEqual(new Set([200]))
    }
  })

  test('an account that is tried from many addresses is closed to them, and other accounts are not', async () => {
    const { account } = auth.login.limit!
    const from = times(3, newAddress)
    const tries = await statuses(
      from.flatMap(address => times(account!, () => login('caio@balcao.test', '', address))),
    )
    expect(new Set(tries)).toEqual(new Set([400]))
    expect((await login(' CAIO@balcao.test', 'balcao-demo', newAddress())).status).toBe(429)
    expect((await login('bianca@balcao.test', 'balcao-demo', newAddress())).status).toBe(200)
  })

  test('odd bodies do not make an account forgotten', async () => {
    const address = newAddress()
    const { account } = auth.login.limit!
    await statuses(times(account!, () => login('helena@balcao.test', '', address)))
    for (const odd of [undefined, null, 7, {}, [], 'x'.repeat(5_000)])
      await statuses(times(20, n => login(odd ?? `${n}`, '', newAddress())))
    expect((await login('helena@balcao.test', 'balcao-demo', address)).status).toBe(429)
  })

  test('companies are not made by the hundred from one address', async () => {
    const address = newAddress()
    const { caller } = auth.signup.limit!
    const join = (n: number) =>
      post('/auth/signup', { name: 'Loja', email: `s${n}@loja.test`, password: 'segredo' }, address)
    const answers = await statuses(times(caller + 5, join))
    expect(answers.toSorted()).toEqual([...times(caller, () => 200), ...times(5, () => 429)])
  })

  // the last of them: nobody gets in after it
  test('a crowd of addresses is stopped in all', async () => {
    const { all, caller } = auth.login.limit!
    for (let n = 0; n < all! / caller; n++) {
      const address = newAddress()
      await statuses(times(caller, one => login(`b${one}@x.test`, '', address)))
    }
    expect((await login('bianca@balcao.test', 'balcao-demo', newAddress())).status).toBe(429)
  })
})

test('whoever calls without end is refused for a while, and his colleagues are not', async () => {
  const world = await openWorld({ REQUESTS_PER_MINUTE: '40' })
  const [marina, helena] = [await world.as('atendente@balcao.test'), await world.as('admin@balcao.test')]
  const called = await Promise.all(Array.from({ length: 45 }, () => marina.call(queues.list)))
  const answered = called.filter(({ status }) => status === 200).length
  expect([40, 41]).toContain(answered) // one more when a minute ends meanwhile
  const [refused] = called.filter(({ status }) => status === 429)
  expect(refused!.body.error).toBe('ERR_TOO_MANY_REQUESTS')
  expect(Number(refused!.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await helena.call(queues.list)).status).toBe(200)
  // whoever is nobody is counted by the address
  const strangers = await Promise.all(Array.from({ length: 400 }, () => world.nobody.call(queues.list)))
  expect(strangers.some(({ status }) => status === 429)).toBe(true)
  await world.close()
})

test('who comes to a long line of passwords is sent away instead of waiting', async () => {
  const crowd = Array.from({ length: 200 }, (_, n) => passwordFits('segredo', undefined, `10.0.0.${n}`))
  const mine = Array.from({ length: 40 }, () => hashPassword('segredo', 'ana'))
  const settled = await Promise.allSettled([...crowd, ...mine])
  const refused = settled.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[]
  expect(refused.length).toBeGreaterThan(140)
  for (const { reason } of refused)
    expect(reason).toMatchObject({ code: 'ERR_TOO_MANY_REQUESTS', retryAfter: expect.any(Number) })
})

test('one caller alone does not fill the line of passwords', async () => {
  const mine = Array.from({ length: 60 }, () => hashPassword('segredo', 'ana'))
  const yours = hashPassword('segredo', 'rui')
  const refused = (await Promise.allSettled(mine)).filter(({ status }) => status === 'rejected')
  expect(refused.length).toBeGreaterThan(20)
  expect(await yours).toMatch(/^\$argon2id\$/)
})
