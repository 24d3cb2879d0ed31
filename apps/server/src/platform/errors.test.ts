import { createServer } from 'node:net'
import { drizzle as overPg } from 'drizzle-orm/node-postgres'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase } from '../../testing/postgres.ts'
import { isConnectionFailure, isTooSlow, isUniqueViolation, Refusal, refuse } from './errors.ts'
import { sql } from './postgres/sql.ts'

const thrownBy = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

const stateError = (code: string) =>
  new Error('Failed query', { cause: Object.assign(new Error(), { code }) })

it('a refusal carries its code, the field at fault and facts', () => {
  expect(() => refuse('ERR_TICKET_TAKEN', { field: 'id', details: { by: 'Ana' } })).toThrow(
    expect.objectContaining({ code: 'ERR_TICKET_TAKEN', field: 'id', details: { by: 'Ana' } }),
  )
  expect(new Refusal('ERR_NOT_FOUND').message).toBe('ERR_NOT_FOUND')
  expect(new Refusal('ERR_NOT_FOUND', { message: 'No such tag' }).message).toBe('No such tag')
})

describe('over a real database', () => {
  let pool: Pool
  let database: ReturnType<typeof overPg>
  let drop: () => Promise<void>
  beforeAll(async () => {
    const place = await createDatabase()
    drop = place.drop
    // `end` resolves before the server has closed its side, which the drop ends then
    pool = new Pool({ connectionString: place.url }).on('error', () => {})
    database = overPg(pool)
    await database.execute(sql`create table tag (name text constraint tag_name unique)`)
  })
  afterAll(() => drop())

  it('a duplicate is told apart, by the index when one is named', async () => {
    await database.execute(sql`insert into tag values ('vip')`)
    const duplicate = await thrownBy(database.execute(sql`insert into tag values ('vip')`))
    expect(isUniqueViolation(duplicate)).toBe(true)
    expect(isUniqueViolation(duplicate, 'tag_name')).toBe(true)
    expect(isUniqueViolation(duplicate, 'queue_color')).toBe(false)
    expect(isConnectionFailure(duplicate)).toBe(false)
  })

  it('a wrong statement is neither a duplicate nor a lost connection', async () => {
    const wrong = await thrownBy(database.execute(sql`select nothing from nowhere`))
    expect(wrong).toBeInstanceOf(Error)
    expect(isUniqueViolation(wrong)).toBe(false)
    expect(isConnectionFailure(wrong)).toBe(false)
  })

  it('a closed pool is a lost connection', async () => {
    await pool.end()
    expect(isConnectionFailure(await thrownBy(database.execute(sql`select 1`)))).toBe(true)
  })
})

describe('a lost connection is known', () => {
  it('when nothing listens, on any address of the host', async () => {
    const pool = new Pool({ host: 'localhost', port: 9, connectionTimeoutMillis: 2000 })
    expect(isConnectionFailure(await thrownBy(overPg(pool).execute(sql`select 1`)))).toBe(true)
    await pool.end()
  })

  it('when the Unix socket is not there, as of the embedded database while it is away', async () => {
    const pool = new Pool({ host: '/nowhere', connectionTimeoutMillis: 2000 })
    expect(isConnectionFailure(await thrownBy(overPg(pool).execute(sql`select 1`)))).toBe(true)
    await pool.end()
  })

  it('when the server hangs up', async () => {
    const server = createServer(socket => socket.destroy()).listen(0, '127.0.0.1')
    await new Promise(resolve => server.once('listening', resolve))
    const { port } = server.address() as { port: number }
    const pool = new Pool({ host: '127.0.0.1', port })
    expect(isConnectionFailure(await thrownBy(overPg(pool).execute(sql`select 1`)))).toBe(true)
    await pool.end()
    expect(isConnectionFailure(await thrownBy(overPg(pool).execute(sql`select 1`)))).toBe(true)
    server.close()
  })

  it.each(['57P01', '57P02', '57P03', '08006', '08P01', '53300', '25P03'])(
    'when PostgreSQL says %s',
    code => {
      expect(isConnectionFailure(stateError(code))).toBe(true)
    },
  )

  it('and not confused with other faults', () => {
    expect(isConnectionFailure(stateError('40P01'))).toBe(false)
    expect(isConnectionFailure('Connection terminated')).toBe(false)
    const circle = new Error('round and round')
    circle.cause = circle
    expect(isConnectionFailure(circle)).toBe(false)
  })
})

it('a statement that was stopped for taking too long is no lost connection', () => {
  expect([isTooSlow(stateError('57014')), isConnectionFailure(stateError('57014'))]).toEqual([true, false])
  expect(isTooSlow(stateError('57P01'))).toBe(false)
})
