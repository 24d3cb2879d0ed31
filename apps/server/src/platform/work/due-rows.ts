import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Logger } from 'pino'
import { isConnectionFailure } from '../errors.ts'
import { type HasMemory, perProduct } from '../memory.ts'
import { allEnded, type Sql } from '../postgres/db.ts'
import { rowsFrom, type SQL, sql as tag } from '../postgres/sql.ts'
import type { Scope } from '../scope.ts'
import type { DueTools } from './due.ts'
import { openWorkTurns, type WorkTurns } from './work-turns.ts'

/** What fails is tried again after so long, then after twice that, and so on up to the longest. */
const FIRST_MS = 10_000
const LONGEST_MS = 60 * 60_000
/** So many that failed are remembered; beyond them the longest known is forgotten, and tried as if it were the first time. */
const REMEMBERED = 10_000

/** What a row is known by: its company, and what identifies it there. */
export type RowIds = { companyId: number } & Record<string, string | number>

/** Rows that failed in this process, and until when they are put off. */
export class PutOffs {
  readonly #rows = new Map<string, { failures: number; until: number }>()

  get size(): number {
    return this.#rows.size
  }

  has(ids: RowIds, now = performance.now()): boolean {
    return (this.#rows.get(keyOf(ids))?.until ?? 0) > now
  }

  forget(ids: RowIds): void {
    this.#rows.delete(keyOf(ids))
  }

  /** Puts it off, longer each time. The first failure is logged; a broken connection is not the row's fault and is rethrown. */
  failed(ids: RowIds, error: unknown, log: Logger, now = performance.now()): void {
    if (isConnectionFailure(error)) throw error
    const key = keyOf(ids)
    const failures = (this.#rows.get(key)?.failures ?? 0) + 1
    this.#rows.delete(key)
    this.#rows.set(key, { failures, until: now + Math.min(FIRST_MS * 2 ** (failures - 1), LONGEST_MS) })
    if (this.#rows.size > REMEMBERED) this.#rows.delete(this.#rows.keys().next().value!)
    log[failures === 1 ? 'error' : 'debug'](
      { err: error, ...ids },
      'a row that was due failed: it is put off',
    )
  }
}

const keyOf = (ids: RowIds) => Object.values(ids).join(' ')

/** By what is due. */
const byName = perProduct(() => new Map<string, PutOffs>())

export function putOffsOf(product: HasMemory, name: string): PutOffs {
  const known = byName(product)
  const own = known.get(name) ?? new PutOffs()
  known.set(name, own)
  return own
}

export type RowTools = Pick<DueTools, 'scopes' | 'memory' | 'log' | 'stopping'>

export interface DueRows<Row extends RowIds> {
  name: string
  /** So many are looked for at once. */
  atOnce: number
  /** The first `most` of what is due, of all companies but those `passed`. */
  find(sql: Sql, most: number, passed: number[]): Promise<Row[]>
  /** One row, in its company. False when it could not be claimed now. */
  run(scope: Scope, row: Row): Promise<unknown>
  /** All rows of a company that were found, by one commit; where that fails, each is run by itself. */
  runAll?(scope: Scope, rows: Row[]): Promise<unknown>
  /** So many companies are worked for at once; one by default. */
  companies?: number
}

/** After so long (ms) it is looked again: what became due of another company meanwhile has its turn. */
const AGAIN_MS = 200
/** So many companies with more due rows than are looked for at once are passed, to find the rows of others. */
const PASSED = 50

/** Whose turn it is, by what is due. */
const turnsByName = perProduct(() => new Map<string, WorkTurns>())

function turnsOf(product: HasMemory, name: string, companies: number): WorkTurns {
  const known = turnsByName(product)
  const own = known.get(name) ?? openWorkTurns({ all: companies, ofOne: 1 })
  known.set(name, own)
  return own
}

/**
 * Works off what is due, row by row and companies in turn: many rows of one delay no other. A failure of one does not block
 * others; it is put off and logged with its ids. Answers whether more may wait.
 */
export async function workOff<Row extends RowIds>(
  tools: RowTools,
  due: DueRows<Row>,
  now: () => number = () => performance.now(),
): Promise<boolean> {
  const { scopes, stopping } = tools
  const { name, atOnce, find, runAll, companies = 1 } = due
  const platform = scopes.platform()
  const putOffs = putOffsOf(tools, name)
  const turns = turnsOf(tools, name, companies)
  const { rows, isMore } = await platform.transaction(sql => findOfAll(sql, find, atOnce + putOffs.size))
  const waiting = Map.groupBy(
    rows.filter(row => !putOffs.has(row)),
    ({ companyId }) => companyId,
  )
  const again = now() + AGAIN_MS
  let [done, left] = [0, atOnce]

  async function inTurn(): Promise<'ended' | 'looks again' | 'stops'> {
    for (;;) {
      if (stopping()) return 'stops'
      const companyId = left > 0 ? turns.next(waiting.keys()) : null
      if (companyId === null) return 'ended'
      if (done > 0 && now() > again) return 'looks again'
      const own = waiting.get(companyId)!
      const some = own.splice(0, runAll ? left : 1)
      if (own.length === 0) waiting.delete(companyId)
      left -= some.length
      turns.take(companyId)
      try {
        done += await runSome(platform.inCompany(companyId), some, due, { putOffs, log: tools.log })
      } finally {
        turns.release(companyId)
      }
    }
  }

  const ends = await allEnded(Array.from({ length: companies }, inTurn))
  if (ends.includes('stops')) return false
  if (ends.includes('looks again')) return true
  return done > 0 && (left === 0 || isMore)
}

/** Rows of a company, together where that is possible. Answers how many could be claimed. */
async function runSome<Row extends RowIds>(
  scope: Scope,
  rows: Row[],
  { run, runAll }: DueRows<Row>,
  { putOffs, log }: { putOffs: PutOffs; log: Logger },
): Promise<number> {
  const several = rows.length > 1 ? runAll : undefined
  let done = 0
  try {
    const [row] = rows as [Row]
    if ((await (several ? several(scope, rows) : run(scope, row))) !== false) done = rows.length
    for (const one of rows) putOffs.forget(one)
  } catch (error) {
    if (!several) putOffs.failed(rows[0]!, error, log)
    else if (isConnectionFailure(error)) throw error
    else
      for (const one of rows) done += await runSome(scope, [one], { run } as DueRows<Row>, { putOffs, log })
  }
  return done
}

/** The first due rows; where there are `most`, which may be of few companies, also the first ones of the others. */
async function findOfAll<Row extends RowIds>(sql: Sql, find: DueRows<Row>['find'], most: number) {
  const rows: Row[] = []
  // nothing of a company happens before all of it is there
  const passed = new Set(await arrivingCompanies(sql))
  const begun = passed.size
  let found: Row[]
  do {
    found = await find(sql, most, [...passed])
    rows.push(...found)
    for (const { companyId } of found) passed.add(companyId)
  } while (found.length === most && passed.size - begun < PASSED)
  return { rows, isMore: rows.length >= most }
}

const arrivingCompanies = async (sql: Sql): Promise<number[]> =>
  (await rowsFrom<{ id: number }>(sql, tag`select id from companies where arrival = 'coming'`)).map(
    ({ id }) => id,
  )

/** The companies that a statement of due rows finds, for its `passed`. */
export const outside = (companyId: PgColumn | SQL, passed: number[]): SQL | undefined =>
  passed.length > 0 ? tag`${companyId} not in ${passed}` : undefined
