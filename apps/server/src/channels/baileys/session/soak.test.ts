import { setTimeout as sleep } from 'node:timers/promises'
import { doubled } from '@balcao/whatsapp-server/tally.ts'
import { until } from '@balcao/whatsapp-server/wait.ts'
import { afterEach, expect, test } from 'vitest'
import { reportFound } from '../../../../testing/found.ts'
import { rounds, SEED } from '../../../../testing/sample.ts'
import { draws, type Scene, SHOP, setScene } from '../../../../testing/whatsapp.ts'

/** A round lasts a third of a second; for a longer run set SOAK_ROUNDS=200, and SOAK_SEED for other draws. */
const ROUNDS = Number(process.env.SOAK_ROUNDS ?? rounds(30, 60))

let scene: Scene

afterEach(() => scene.end())

const journalRows = () => [...scene.host.rows.keys()].filter(key => key.startsWith('inbox-journal')).length

/** Every text received by the driver's host, by id, with its count; the application writes each id once. */
function receivedOf({ host }: Scene) {
  const times = new Map<string, number>()
  for (const { externalId } of host.messages()) times.set(externalId, (times.get(externalId) ?? 0) + 1)
  return times
}

test(`${ROUNDS} broken sockets while customers write lose nothing`, {
  timeout: 60_000 + ROUNDS * 2_000,
}, async () => {
  const random = draws(SEED)
  scene = await setScene({
    latencyMs: 4,
    random: draws(SEED + 1),
    pace: { firstMs: 10, mostMs: 20, restMs: 100 },
  })
  const { server, ana, host } = scene
  const bia = await server.addPhone('5511922222222', { name: 'Bia' })
  const written = new Map<string, string[]>([
    [ana.number, [await ana.write(SHOP, 'primeira')]],
    [bia.number, [await bia.write(SHOP, 'primeira')]],
  ])
  await until('the first words', () => host.messages().length === 2)
  let isOver = false
  const writing = [ana, bia].map(async customer => {
    while (!isOver) {
      written.get(customer.number)!.push(await customer.write(SHOP, `linha de ${customer.account.name}`))
      await sleep(15 + random() * 25)
    }
  })
  let broken = 0
  for (let round = 0; round < ROUNDS; round++) {
    let dropped = 0
    while (dropped === 0) {
      await sleep(60 + random() * 120)
      dropped = server.dropSockets()
    }
    broken += dropped
  }
  isOver = true
  await Promise.all(writing)
  const ids = [...written.values()].flat()
  // However slow the machine is: it is waited for as long as something still arrives.
  const left = () => ({ away: !server.online(SHOP), owed: server.owed(SHOP), journal: journalRows() })
  const isQuiet = () => Object.values(left()).every(value => !value)
  while (!isQuiet()) {
    const { owed } = left()
    const goesOn = until('it to go on', () => isQuiet() || left().owed < owed, 30_000)
    await goesOn.catch(cause => Promise.reject(new Error(`it stands: ${JSON.stringify(left())}`, { cause })))
  }
  const times = receivedOf(scene)
  await until('all of them', () => ids.every(id => receivedOf(scene).has(id)), 15_000).catch(() => {})
  const lost = ids.filter(id => !times.has(id))
  const inOrder = (number: string) => {
    const own = host.messages().filter(({ chat }) => chat.also?.value === number)
    return [...new Set(own.map(({ externalId }) => externalId))].join() === written.get(number)!.join()
  }
  console.log(
    `soak: seed ${SEED}, ${ROUNDS} rounds, ${broken} sockets broken, ${ids.length} messages, ${lost.length} lost, ` +
      `${doubled(times).length} notified twice, ${server.tally.retries.size} asked for again, ` +
      `${server.tally.nacks.length} given back; in order: ${[ana, bia].map(({ number }) => inOrder(number))}`,
  )
  reportFound(ROUNDS, { lost: lost.length })
  expect(lost).toEqual([])
  expect([ana, bia].map(({ number }) => inOrder(number))).toEqual([true, true])
})

test('two-way traffic over a slow key store needs no retries', { timeout: 60_000 }, async () => {
  scene = await setScene({ latencyMs: 4 })
  const { server, ana, host } = scene
  await ana.write(SHOP, 'Oi')
  await until('the first', () => host.messages().length === 1)
  expect((await scene.say('Olá')).outcome).toEqual({ is: 'sent' })
  const theirs = Promise.all(Array.from({ length: 150 }, (_, n) => ana.write(SHOP, `cliente ${n}`)))
  const ours = await Promise.all(Array.from({ length: 150 }, (_, n) => scene.say(`loja ${n}`)))
  await theirs
  expect(ours.filter(({ outcome }) => outcome.is !== 'sent')).toEqual([])
  await until('all of them', () => host.messages().length === 151 && ana.received().length === 151, 20_000)
  expect(server.tally.retries.size).toBe(0)
  expect(server.tally.nacks).toEqual([])
})

test('a key that cannot be stored costs a connection, and no message', { timeout: 60_000 }, async () => {
  scene = await setScene()
  const { server, ana, host } = scene
  await ana.write(SHOP, 'primeira')
  await until('the first', () => host.messages().length === 1)
  const random = draws(SEED)
  let left = 5
  host.fault = what => {
    if (what === 'write' && left > 0 && random() < 0.2) {
      left--
      throw new Error('the database is away')
    }
  }
  const ids: string[] = []
  for (let n = 0; n < 60; n++) {
    ids.push(await ana.write(SHOP, `linha ${n}`))
    await sleep(10)
  }
  await until('all of them', () => ids.every(id => receivedOf(scene).has(id)), 20_000)
  expect(left).toBe(0)
  expect(server.tally.nacks.filter(({ code }) => code !== '487')).toEqual([])
})

test('news waits for a house that cannot write it down', async () => {
  scene = await setScene()
  let away = true
  scene.host.fault = what => {
    if (what === 'hear' && away) throw new Error('the database is away')
  }
  const id = await scene.ana.write(SHOP, 'Oi')
  await until('the journal', () => journalRows() === 1)
  away = false
  await until('the message', () => receivedOf(scene).has(id))
  await until('an empty journal', () => journalRows() === 0)
})
