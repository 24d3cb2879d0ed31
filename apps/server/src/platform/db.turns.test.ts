import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase } from '../../testing/database.ts'
import { createDatabase, postgresServer } from '../../testing/postgres.ts'
import { until } from '../../testing/world.ts'
import { type Database, overServer } from './db.ts'
import { Turns } from './db.turns.ts'
import { isConnectionFailure, isTooSlow } from './errors.ts'
import { rowsFrom, sql as tag } from './sql.ts'

/** Lets a crowd of a company in, and says how many stand inside. */
function crowd(turns: Turns, company: number, count: number) {
  const crowd = { inside: 0 }
  for (let n = 0; n < count; n++) void turns.take(company).then(() => crowd.inside++, noMatter)
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
      await turns.take(2)
      turns.leave(2)
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
    await turns.take(4)
  })

  test('that come free are given to the companies in turn, not to whoever has the longest line', async () => {
    const turns = new Turns(1)
    await turns.take(9)
    const served: number[] = []
    for (const company of [1, 1, 1, 1, 1, 2, 3, 2])
      void turns.take(company).then(() => {
        served.push(company)
        turns.leave(company)
      })
    turns.leave(9)
    await settled()
    expect(served).toEqual([1, 2, 3, 1, 2, 1, 1, 1])
  })

  test('are first for what was promised, which nobody turns away', async () => {
    const turns = new Turns(1, 50)
    await turns.take(1)
    const served: string[] = []
    const come = (who: string, promised = false) =>
      turns.take(1, promised).then(
        () => served.push(who),
        () => served.push(`${who} refused`),
      )
    const all = [come('asked'), come('promised', true), come('asked too'), come('promised too', true)]
    await until(() => served.length === 2)
    expect(served).toEqual(['asked refused', 'asked too refused'])
    for (let left = 0; left < 2; left++) {
      turns.leave(1)
      await settled()
    }
    await Promise.all(all)
    expect(served.slice(2)).toEqual(['promised', 'promised too'])
  })

  test('are waited for in line, and all of them are free in the end', async () => {
    const turns = new Turns(3)
    const order: number[] = []
    await Promise.all(
      Array.from({ length: 200 }, async (_, n) => {
        await turns.take(n % 7)
        if (n % 7 === 5) order.push(n)
        await settled()
        turns.leave(n % 7)
      }),
    )
    expect(order).toEqual(order.toSorted((a, b) => a - b))
    const after = crowd(turns, 1, 3)
    await settled()
    expect(after.inside).toBe(2)
    await turns.take(2)
  })

  test('that do not come free are not waited for for ever', async () => {
    const turns = new Turns(1, 20)
    await turns.take(1)
    const error = await turns.take(2).catch((error: unknown) => error)
    expect(isConnectionFailure(error)).toBe(true)
    turns.leave(1)
    await turns.take(2)
  })
})

test('the embedded database serves companies in turn', async () => {
  const database = await freshDatabase('pglite')
  const done: string[] = []
  const work = (company: number, name: string) =>
    database.transaction(
      '',
      async sql => {
        await sql.execute(tag`select 1`)
        done.push(name)
      },
      { company },
    )
  const many = Array.from({ length: 60 }, (_, n) => work(1, `a${n}`))
  await work(2, 'b')
  expect(done.indexOf('b')).toBeLessThanOrEqual(2)
  await work(2, 'b again')
  expect(done.indexOf('b again') - done.indexOf('b')).toBeLessThanOrEqual(3)
  await Promise.all(many)
  await database.close()
})

const server = await postgresServer()
const why = 'missing' in server ? ` (${server.missing})` : ''

describe.skipIf(why)(`on a server${why}`, () => {
  let database: Database
  let drop: () => Promise<void>
  beforeAll(async () => {
    if ('missing' in server) return
    const place = await createDatabase(server.url)
    drop = place.drop
    database = overServer(place.url)
  })
  afterAll(async () => {
    await database.close()
    await drop()
  })
  const ask = (statement: string, how = {}) =>
    database.transaction(
      '',
      async sql => {
        const rows = await rowsFrom<object>(sql, tag.raw(statement))
        return rows[0]
      },
      how,
    )

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
    await Promise.all(Array.from({ length: 20 }, () => ask('select 1', { company: 2, reading: true })))
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
