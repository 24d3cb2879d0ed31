import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase } from '../../../testing/postgres.ts'
import { until } from '../../../testing/test-app.ts'
import { isConnectionFailure, isTooSlow } from '../errors.ts'
import { type Database, openDatabase, type Sql } from './db.ts'
import { rowsFrom, sql as tag } from './sql.ts'
import { type HeldSlot, PLATFORM_WORK, Turns } from './turns.ts'

/** Starts many calls of a company, and answers how many are inside. */
function crowd(turns: Turns, company: number, count: number) {
  const crowd = { inside: 0, places: [] as HeldSlot[] }
  for (let n = 0; n < count; n++)
    void turns.acquire(company).then(place => {
      crowd.inside++
      crowd.places.push(place)
    }, noMatter)
  return crowd
}
const noMatter = () => {}
const settled = () => new Promise(setImmediate)

describe('places', () => {
  test('are not all taken by one company: the next finds one at once', async () => {
    const turns = new Turns(10)
    const busy = crowd(turns, 1, 60)
    await settled()
    expect(busy.inside).toBe(6)
    for (let call = 0; call < 20; call++) {
      turns.release(await turns.acquire(2))
    }
    expect(busy.inside).toBe(6)
  })

  test('are there for a third and a fourth, however many the first and the second want', async () => {
    const turns = new Turns(10)
    const busy = [1, 2, 3].map(company => crowd(turns, company, 60))
    await settled()
    const inside = busy.map(({ inside }) => inside)
    expect(inside.reduce((sum, one) => sum + one)).toBeLessThan(10)
    for (const one of inside) expect(one).toBeGreaterThan(0)
    await turns.acquire(4)
  })

  test('that come free are given to the companies in turn, not to whoever has the longest line', async () => {
    const turns = new Turns(1)
    const first = await turns.acquire(9)
    const served: number[] = []
    for (const company of [1, 1, 1, 1, 1, 2, 3, 2])
      void turns.acquire(company).then(place => {
        served.push(company)
        turns.release(place)
      })
    turns.release(first)
    await settled()
    expect(served).toEqual([1, 2, 3, 1, 2, 1, 1, 1])
  })

  test('are taken one at a time by a company that is never satisfied while another is here, and by six as soon as it is alone', async () => {
    let now = 0
    const turns = new Turns(10, { now: () => now })
    const busy = crowd(turns, 1, 600)
    let left = 0
    const visit = async (company: number) => turns.release(await turns.acquire(company))
    /** Whoever is inside comes out, one after the other: how many of them are inside then. */
    const insideAfter = async (served: number) => {
      for (let one = 0; one < served; one++) {
        turns.release(busy.places.shift()!)
        await settled()
      }
      left += served
      return busy.inside - left
    }
    await settled()
    await visit(2)
    // whose line is as old as the moment may be opening a screen
    expect(await insideAfter(20)).toBe(6)
    now += 1_001
    // the platform's own work belongs to no company
    await visit(PLATFORM_WORK)
    expect(await insideAfter(20)).toBe(6)
    await visit(2)
    expect(await insideAfter(20)).toBe(2)
    now += 900
    expect(await insideAfter(20)).toBe(2)
    // no other caller for a second
    now += 200
    expect(await insideAfter(20)).toBe(6)
  })

  test('are given on to a crowd while one of its own takes minutes, and when nobody else comes any more', async () => {
    let now = 0
    const turns = new Turns(10, { waitMs: 20, now: () => now })
    const visit = async (company: number) => turns.release(await turns.acquire(company))
    const report = await turns.acquire(1)
    const served: HeldSlot[] = []
    for (let n = 0; n < 30; n++) void turns.acquire(1, true).then(place => served.push(place))
    await settled()
    expect(served).toHaveLength(5)
    now += 1_001
    await visit(2)
    for (let at = 0; at < 10; at++) {
      turns.release(served[at]!)
      await settled()
    }
    // two at a time beside the report
    expect(served).toHaveLength(12)
    now += 1_001
    await until(() => served.length > 12)
    turns.release(report)
  })

  test('are first for what was promised, which nobody turns away', async () => {
    const turns = new Turns(1, { waitMs: 50 })
    const first = await turns.acquire(1)
    const served: string[] = []
    const come = (who: string, promised = false) =>
      turns.acquire(1, promised).then(
        place => {
          served.push(who)
          return place
        },
        () => void served.push(`${who} refused`),
      )
    const all = [come('asked'), come('promised', true), come('asked too'), come('promised too', true)]
    await until(() => served.length === 2)
    expect(served).toEqual(['asked refused', 'asked too refused'])
    turns.release(first)
    turns.release((await all[1])!)
    await Promise.all(all)
    expect(served.slice(2)).toEqual(['promised', 'promised too'])
  })

  test('are waited for in line, and all of them are free in the end', async () => {
    const turns = new Turns(3)
    const order: number[] = []
    await Promise.all(
      Array.from({ length: 200 }, async (_, n) => {
        const place = await turns.acquire(n % 7)
        if (n % 7 === 5) order.push(n)
        await settled()
        turns.release(place)
      }),
    )
    expect(order).toEqual(order.toSorted((a, b) => a - b))
    const after = crowd(turns, 1, 3)
    await settled()
    expect(after.inside).toBe(2)
    await turns.acquire(2)
  })

  test('that do not come free are not waited for for ever', async () => {
    const turns = new Turns(1, { waitMs: 20 })
    const first = await turns.acquire(1)
    const error = await turns.acquire(2).catch((error: unknown) => error)
    expect(isConnectionFailure(error)).toBe(true)
    turns.release(first)
    await turns.acquire(2)
  })
})

describe('at the database', () => {
  let database: Database
  let drop: () => Promise<void>
  beforeAll(async () => {
    const place = await createDatabase()
    drop = place.drop
    database = openDatabase(place.url)
  })
  afterAll(async () => {
    await database.close()
    await drop()
  })
  const asking = (statement: string) => async (sql: Sql) =>
    (await rowsFrom<object>(sql, tag.raw(statement)))[0]
  const ask = (statement: string, how = {}) => database.transaction('', asking(statement), how)

  test('sixty callers of one company that hang keep no other company waiting', async () => {
    let release = () => {}
    const held = new Promise<void>(done => {
      release = done
    })
    let isHeld = false
    const keeper = database.transaction(
      'set local idle_in_transaction_session_timeout = 0',
      async sql => {
        await sql.execute(tag`select pg_advisory_xact_lock(7)`)
        isHeld = true
        await held
      },
      { company: 3 },
    )
    await until(() => isHeld)
    let answered = 0
    const hanging = Array.from({ length: 60 }, () =>
      ask('select pg_advisory_xact_lock_shared(7)', { company: 1 }).then(() => answered++),
    )
    for (let call = 0; call < 30; call++) await ask('select 1', { company: 2 })
    await Promise.all(Array.from({ length: 20 }, () => database.read('', asking('select 1'), { company: 2 })))
    await database.ping()
    expect(answered).toBe(0)
    release()
    await Promise.all([keeper, ...hanging])
    expect(answered).toBe(60)
  })

  test('a statement that somebody waits for has an end, one of the house’s own a later one', async () => {
    const limit = async (how?: object) => await ask('show statement_timeout', how)
    expect(await limit()).toEqual({ statement_timeout: '15s' })
    expect(await limit({ patient: true })).toEqual({ statement_timeout: '10min' })
    expect(await limit()).toEqual({ statement_timeout: '15s' })
    const late = database.transaction('set local statement_timeout = 20', sql =>
      sql.execute(tag`select pg_sleep(5)`),
    )
    expect(isTooSlow(await late.catch((error: unknown) => error))).toBe(true)
    await database.script('select pg_sleep(0)')
    expect(await limit()).toEqual({ statement_timeout: '15s' })
  })
})
