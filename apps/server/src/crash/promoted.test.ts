import { contacts } from '@balcao/contract/contacts.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ask } from '../../testing/postgres.ts'
import { type Process, startProcess } from '../../testing/process.ts'
import { installedServer, type Pair, startPair } from '../../testing/standby.ts'
import { type Store, storeAt } from '../../testing/store.ts'
import { enter, type Person, until } from '../../testing/test-app.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 })

const server = installedServer()
const missing = 'missing' in server ? ` (${server.missing})` : ''
const PREFIX = '5511977'

describe.skipIf(missing)(`a database with a standby${missing}`, () => {
  let pair: Pair
  let store: Store
  let product: Process
  let marina: Person
  beforeAll(async () => {
    if ('missing' in server) return
    pair = await startPair(server.bin, { isSynchronous: true })
    store = await storeAt(pair.primary)
    const urls = { DATABASE_URL: pair.both, DATABASE_READ_URL: pair.standby, DATABASE_READ_SECONDS: '3' }
    product = await startProcess({ ...store.env, ...urls, LOG_LEVEL: 'info' })
    marina = await enter(product.url, 'admin@balcao.test')
  })
  afterAll(async () => {
    await product?.stop()
    await pair?.end()
    await store?.remove()
  })

  const search = async () => {
    const url = `${product.url}${contacts.list.path}?searchParam=renata`
    const answer = await fetch(url, { headers: { authorization: `Bearer ${marina.token}` } })
    expect(answer.status).toBe(200)
    return answer.headers.get('x-data-as-of')
  }
  const write = (place: number) =>
    marina
      .call(simulator.write, {
        params: { whatsappId: marina.user.whatsappId! },
        body: {
          number: `${PREFIX}${100_000 + (place % 5)}`,
          name: 'Renata',
          body: place === 0 ? 'antes' : `linha ${place}`,
        },
      })
      .then(
        ({ status }) => status,
        () => 0,
      )

  test('a search reads the copy and says of which moment; one that stands still is left for the primary, and used again', async () => {
    const asOf = await until(search)
    expect(Math.abs(Date.now() - Date.parse(asOf))).toBeLessThan(10_000)
    await ask(pair.standby, 'select pg_wal_replay_pause()')
    // something it does not have
    await until(async () => {
      await write(0)
      return (await search()) === null
    })
    await ask(pair.standby, 'select pg_wal_replay_resume()')
    await until(search)
  })

  test('the standby is promoted under traffic: what was answered is there, once, and the product goes on by itself', async () => {
    const kept: number[] = []
    let [place, isOver] = [1, false]
    const writer = async () => {
      while (!isOver)
        await until(async () => {
          const own = place++
          const isKept = (await write(own)) === 200
          if (isKept) kept.push(own)
          return isKept || isOver
        }, 60_000)
    }
    const writers = Array.from({ length: 4 }, writer)
    await until(() => kept.length >= 40)
    await pair.kill()
    const before = kept.length
    const from = performance.now()
    pair.promote()
    await until(() => kept.length >= before + 40, 60_000)
    const seconds = ((performance.now() - from) / 1_000).toFixed(1)
    isOver = true
    await Promise.all(writers)
    const bodies = async (table: string, own: string) =>
      (await ask(pair.standby, `select body from ${table} where body like 'linha %' and ${own}`)).map(
        ({ body }) => String(body),
      )
    const expected = kept.map(own => `linha ${own}`)
    const phone = await bodies('simulator_messages', 'not from_me')
    expect(expected.filter(body => !phone.includes(body))).toEqual([])
    const house = await until(async () => {
      const found = await bodies('messages', 'not from_me')
      return phone.every(body => found.includes(body)) && found
    }, 30_000)
    expect(house.length).toBe(new Set(house).size)
    console.log(
      `promoted: ${before} before, ${kept.length - before} after ${seconds} s, none lost, none doubled`,
    )
  })
})
