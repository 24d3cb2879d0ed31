import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startReceiver, VERIFY_TOKEN } from './receiver.ts'
import { type Scene, setScene } from './scene.ts'

let scene: Scene

beforeEach(async () => {
  scene = await setScene()
})

afterEach(() => scene.end())

const HOUR = 3_600_000
const bodies = () => scene.receiver.messages().map(({ text }) => (text as { body: string } | undefined)?.body)

describe('one delivery', () => {
  test('is signed over its raw bytes, in which everything but ASCII is escaped, and slashes', async () => {
    const { server, receiver, ana } = scene
    ana.says('Pão/açúcar 🍞')
    await server.settled()
    const { raw, genuine, signature } = receiver.taken.at(-1)!
    expect(genuine).toBe(true)
    expect(signature).toMatch(/^sha256=[0-9a-f]{64}$/)
    expect(raw).toContain('P\\u00e3o\\/a\\u00e7\\u00facar \\ud83c\\udf5e')
    expect(bodies().at(-1)).toBe('Pão/açúcar 🍞')
  })

  test.each([
    ['missing', undefined],
    ['wrong', `sha256=${'0'.repeat(64)}`],
    ['of another secret', /^sha256=/],
    ['of other bytes', /^sha256=/],
    ['sha1', /^sha1=/],
    ['upper case', /^SHA256=[0-9A-F]+$/],
  ] as const)('is signed falsely on request: %s', async (how, looks) => {
    const { server, receiver, ana } = scene
    server.faults.deliveries.next({ signature: how })
    ana.says('Oi de novo')
    await server.settled()
    const { signature, genuine } = receiver.taken.at(-1)!
    expect(genuine).toBe(false)
    if (looks instanceof RegExp) expect(signature).toMatch(looks)
    else expect(signature).toBe(looks)
  })

  test('brings several accounts, changes and items at once', async () => {
    const { server, receiver, ana, send } = scene
    const other = server.app.addAccount({ name: 'Filial' })
    const branch = other.addNumber('551130000002')
    const bia = server.addCustomer('5511922222222', { name: 'Bia' })
    const hold = server.webhooks.hold()
    ana.says('um')
    bia.says('dois')
    ana.says('três')
    ana.says('na filial', { to: branch })
    await send({ text: { body: 'Olá' } })
    ana.says('quatro')
    other.alert('OBA_APPROVED', 'Parabéns', 'INFORMATIONAL')
    hold.release({ together: true })
    await server.settled()
    expect(receiver.taken).toHaveLength(2)
    const { entry } = receiver.taken[1]!.body
    expect(entry.map(({ id, changes }) => [id, changes.map(({ field }) => field)])).toEqual([
      [server.account.id, ['messages', 'messages', 'messages']],
      [other.id, ['messages', 'account_alerts']],
    ])
    const [first, statuses, last] = entry[0]!.changes.map(({ value }) => value)
    expect(first!.messages).toHaveLength(3)
    expect(first!.contacts).toMatchObject([{ profile: { name: 'Ana' } }, { profile: { name: 'Bia' } }])
    expect(statuses!.statuses).toMatchObject([{ status: 'sent' }, { status: 'delivered' }])
    expect(last!.messages).toHaveLength(1)
    expect(bodies()).toEqual(['Oi', 'um', 'dois', 'três', 'quatro', 'na filial'])
  })

  test('goes to every app that hears the account, signed with the secret of each, for the fields it wants', async () => {
    const { server, receiver, ana } = scene
    const partner = server.addApp({ name: 'Parceiro' })
    const own = await startReceiver(() => partner.secret)
    await partner.subscribe(own.url, VERIFY_TOKEN, ['account_alerts'])
    server.account.subscribers.set(partner, undefined)
    ana.says('Só para um')
    server.account.alert('OBA_REJECTED', 'Não', 'CRITICAL')
    await server.settled()
    expect(own.taken).toMatchObject([
      { genuine: true, body: { entry: [{ changes: [{ field: 'account_alerts' }] }] } },
    ])
    expect(receiver.taken).toHaveLength(3)
    expect(partner.secret).not.toBe(server.app.secret)
    await own.close()
  })

  test('tells a conversation to apps below version 24', async () => {
    await scene.end()
    scene = await setScene({ app: { version: 23 } })
    await scene.say('Oi')
    const conversation = { id: expect.any(String), origin: { type: 'service' } }
    const expiration_timestamp = `${scene.server.clock.seconds() + 24 * 3_600}`
    expect(scene.receiver.statuses()).toMatchObject([
      { status: 'sent', conversation: { ...conversation, expiration_timestamp } },
      { status: 'delivered', conversation },
    ])
  })
})

describe('what is not answered with 200', () => {
  test('is sent again, later each time, until it is', async () => {
    const { server, receiver, ana } = scene
    receiver.answers.push(500, 202, -1, 301)
    const begin = server.clock.now()
    ana.says('Insistente')
    await server.settled()
    await server.clock.advance(10 * 60_000)
    const [, ...tries] = server.webhooks.attempts
    expect(tries.map(({ outcome, at }) => [outcome, at - begin])).toEqual([
      [500, 0],
      [202, 1_000],
      ['unanswered', 6_000],
      [301, 36_000],
      [200, 156_000],
    ])
    expect(new Set(receiver.taken.slice(1).map(({ raw }) => raw)).size).toBe(1)
    expect(receiver.taken.every(({ genuine }) => genuine)).toBe(true)
  })

  test('lets what came after it pass', async () => {
    const { server, receiver, ana } = scene
    receiver.answers.push(503)
    ana.says('primeira')
    ana.says('segunda')
    await server.settled()
    await server.clock.advance(1_000)
    expect(bodies()).toEqual(['Oi', 'primeira', 'segunda', 'primeira'])
  })

  test('is given up after seven days', async () => {
    const { server, receiver, ana } = scene
    receiver.answers.push(...Array<number>(100).fill(500))
    ana.says('Perdida')
    await server.settled()
    await server.clock.advance(8 * 24 * HOUR)
    expect(server.webhooks.givenUp).toEqual([receiver.taken.at(-1)!.raw])
    const tries = server.webhooks.attempts.filter(({ outcome }) => outcome === 500)
    expect(tries.at(-1)!.at - tries[0]!.at).toBeGreaterThan(6 * 24 * HOUR)
    expect(tries.at(-1)!.at - tries[0]!.at).toBeLessThanOrEqual(7 * 24 * HOUR)
  })

  test('a receiver that never answers is left after a while', async () => {
    await scene.end()
    scene = await setScene({ webhooks: { patienceMs: 700, backOff: [0] } })
    const { server, receiver, ana } = scene
    receiver.answers.push(0)
    ana.says('Alô?')
    await server.settled()
    await server.clock.advance(0)
    expect(server.webhooks.attempts.slice(1).map(({ outcome }) => outcome)).toEqual(['unanswered', 200])
  })

  test('is tried again by itself where the time runs', async () => {
    await scene.end()
    scene = await setScene({ standsAt: undefined, webhooks: { backOff: [10] } })
    const { receiver, ana } = scene
    receiver.answers.push(500, 500)
    ana.says('Sozinha')
    await expect.poll(bodies).toEqual(['Oi', 'Sozinha', 'Sozinha', 'Sozinha'])
  })
})

describe('disorder', () => {
  test('a delivery is lost, and comes when it is tried again', async () => {
    const { server, ana } = scene
    server.faults.deliveries.next({ lose: true, times: 2 })
    ana.says('extraviada')
    ana.says('extraviada também')
    ana.says('na hora')
    await server.settled()
    expect(bodies()).toEqual(['Oi', 'na hora'])
    await server.clock.advance(1_000)
    expect(bodies()).toEqual(['Oi', 'na hora', 'extraviada', 'extraviada também'])
    expect(server.webhooks.attempts.filter(({ outcome }) => outcome === 'lost')).toHaveLength(2)
  })

  test('the answer is lost, and the delivery comes twice', async () => {
    const { server, ana } = scene
    server.faults.deliveries.next({ loseAnswer: true })
    ana.says('duas vezes')
    await server.settled()
    await server.clock.advance(1_000)
    expect(bodies()).toEqual(['Oi', 'duas vezes', 'duas vezes'])
  })

  test('a delivery comes several times at once, or again after eight days', async () => {
    const { server, receiver, ana } = scene
    server.faults.deliveries.next({ copies: 3 })
    ana.says('eco')
    await server.settled()
    expect(bodies()).toEqual(['Oi', 'eco', 'eco', 'eco', 'eco'])
    await server.clock.advance(8 * 24 * HOUR)
    server.webhooks.replay(server.webhooks.attempts[0]!)
    await server.settled()
    expect(receiver.taken.at(-1)!.raw).toBe(receiver.taken[0]!.raw)
  })

  test('what was held back leaves in its order, the other way round, shuffled, or never', async () => {
    const { server, ana } = scene
    const words = ['a', 'b', 'c', 'd', 'e', 'f']
    const round = async (order: 'as it came' | 'reversed' | 'shuffled') => {
      const before = bodies().length
      const hold = server.webhooks.hold()
      for (const word of words) ana.says(word)
      hold.release({ order })
      await server.settled()
      return bodies().slice(before).join('')
    }
    expect([await round('as it came'), await round('reversed')]).toEqual(['abcdef', 'fedcba'])
    const shuffled = await round('shuffled')
    expect([...shuffled].toSorted().join('')).toBe('abcdef')
    expect(shuffled).not.toBe('abcdef')
    const hold = server.webhooks.hold()
    ana.says('nunca')
    hold.forget()
    ana.says('sempre')
    await server.settled()
    expect(bodies().slice(-1)).toEqual(['sempre'])
    expect(bodies()).not.toContain('nunca')
  })

  test('twenty messages come in parallel', async () => {
    const { server, receiver, ana } = scene
    server.webhooks.lanes = 20
    const words = Array.from({ length: 20 }, (_, n) => `foto ${n}`)
    for (const word of words) ana.says(word)
    await server.settled()
    expect(receiver.taken).toHaveLength(21)
    expect(bodies().slice(1).toSorted()).toEqual(words.toSorted())
  })
})

test('the same seed gives the same ids', async () => {
  const other = await setScene()
  expect(other.server.number.id).toBe(scene.server.number.id)
  expect(await other.say('Oi')).toBe(await scene.say('Oi'))
  await other.end()
  const third = await setScene({ seed: 2 })
  expect(third.server.number.id).not.toBe(scene.server.number.id)
  await third.end()
})
