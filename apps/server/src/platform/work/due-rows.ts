import type { Logger } from 'pino'
import { isConnectionFailure } from '../errors.ts'
import { type HasMemory, perProduct } from '../memory.ts'
import type { Sql } from '../postgres/db.ts'
import type { Scope } from '../scope.ts'
import type { DueTools } from './due.ts'

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

  has(ids: RowIds, now = Date.now()): boolean {
    return (this.#rows.get(keyOf(ids))?.until ?? 0) > now
  }

  forget(ids: RowIds): void {
    this.#rows.delete(keyOf(ids))
  }

  /** Puts it off, longer each time. The first failure is logged; a broken connection is not the row's fault and is rethrown. */
  failed(ids: RowIds, error: unknown, log: Logger, now = Date.now()): void {
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
  /** So many are looked at before it is looked again. */
  atOnce: number
  /** The first `most` of what is due, of all companies. */
  find(sql: Sql, most: number): Promise<Row[]>
  /** One row, in its company. False when it could not be claimed now. */
  run(scope: Scope, row: Row): Promise<unknown>
}

/**
 * Works off what is due, row by row: a failure of one does not block others; it is put off and logged with
 * its ids. Answers whether more may wait.
 */
export async function workOff<Row extends RowIds>(
  { scopes, memory, log, stopping }: RowTools,
  { name, atOnce, find, run }: DueRows<Row>,
): Promise<boolean> {
  const platform = scopes.platform()
  const putOffs = putOffsOf({ memory }, name)
  const found = await platform.transaction(sql => find(sql, atOnce + putOffs.size))
  const due = found.filter(row => !putOffs.has(row)).slice(0, atOnce)
  let done = 0
  for (const row of due) {
    if (stopping()) return false
    try {
      if ((await run(platform.inCompany(row.companyId), row)) !== false) done++
      putOffs.forget(row)
    } catch (error) {
      putOffs.failed(row, error, log)
    }
  }
  return due.length === atOnce && done > 0
}
