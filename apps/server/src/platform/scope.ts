import { setTimeout as pause } from 'node:timers/promises'
import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import type { Database, Sql } from './db.ts'
import { wasEndedForAnother } from './errors.ts'
import type { Announced, Event } from './events.ts'
import type { Job } from './jobs.ts'

/** In whose name something is done: one company, and one of its users unless the company acts by itself. */
export interface Scope {
  companyId: number
  viewer: Viewer | null
  requestId: string
  /** Of companies that chose none: ask `zoneOf` of companies, not this. */
  timeZone: string
  /** `work` runs again when the database ended it for another: what it does outside the transaction is not undone. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** The same for what only reads: the database refuses a write, and the answer does not wait for the end. */
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

/** A scope inside its open transaction. What it emits is announced after the commit, or never. */
export interface Tx extends Scope {
  sql: Sql
  emit<News>(event: Event<News>, news: News): void
  /** Lets the features above take part in this transaction now (their `within`), before it goes on. */
  involve<News>(event: Event<News>, news: News): Promise<void>
  /** Enqueues a job in this commit. */
  enqueue<Data extends object>(
    job: Job<Data>,
    data: Data,
    options?: { after?: Date | number; key?: string },
  ): Promise<void>
}

/** The platform's own work (login, master, scheduler, migrations): no company, no wall. Use it knowingly. */
export interface PlatformScope {
  requestId: string
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  /** Steps into a company, as one of its users or as the company itself. */
  inCompany(companyId: number, viewer?: Viewer | null): Scope
}

export const TENANT_ROLE = 'balcao_tenant'

interface Doors {
  database: Database
  timeZone: string
  announce(scope: Scope, news: Announced[]): void
  involve(tx: Tx, news: Announced): Promise<void>
  enqueue: (sql: Sql, companyId: number, ...rest: Parameters<Tx['enqueue']>) => Promise<void>
}

/** Makes scopes over one database. `announce` is called after each commit that emitted something. */
export function scopes(doors: Doors) {
  function inCompany(companyId: number, viewer: Viewer | null = null, requestId = ''): Scope {
    if (!Number.isInteger(companyId)) throw new Error(`not a company: ${companyId}`)
    const scope: Scope = {
      companyId,
      viewer,
      requestId,
      timeZone: doors.timeZone,
      transaction: work => open(scope, work),
      read: work => open(scope, work, true),
    }
    return scope
  }

  async function open<T>(scope: Scope, work: (tx: Tx) => Promise<T>, reading = false): Promise<T> {
    const news: Announced[] = []
    const wall = `set local role ${TENANT_ROLE}; set local app.company_id = '${scope.companyId}'`
    const within = (sql: Sql) => {
      const tx: Tx = {
        ...scope,
        sql,
        transaction: inner => inner(tx),
        read: inner => inner(tx),
        emit: (event, what) => void news.push({ event, news: what }),
        involve: (event, what) => doors.involve(tx, { event, news: what }),
        enqueue: (job, data, options) =>
          doors.enqueue(sql, scope.companyId, job as Job<object>, data, options),
      }
      return work(tx)
    }
    const how = { company: scope.companyId, reading, patient: scope.viewer === null }
    const once = () => {
      news.length = 0
      return doors.database.transaction(wall, within, how)
    }
    const result = await untilItStands(once)
    if (news.length > 0) doors.announce(scope, news)
    return result
  }

  const platform = (requestId = ''): PlatformScope => ({
    requestId,
    // what no call asked for is the house's own work
    transaction: work => doors.database.transaction('', work, { patient: requestId === '' }),
    inCompany: (companyId, viewer) => inCompany(companyId, viewer, requestId),
  })

  return { inCompany, platform }
}
export type Scopes = ReturnType<typeof scopes>

/** So often a transaction is begun that others keep in the way of. */
const TRIES = 6
const FIRST_PAUSE_MS = 10

/**
 * Of those that wait for each other the database ends one: done again it succeeds. The pauses grow and differ, so that
 * the same ones do not meet again.
 */
async function untilItStands<T>(once: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++)
    try {
      return await once()
    } catch (error) {
      if (tried === TRIES || !wasEndedForAnother(error)) throw error
      await pause(FIRST_PAUSE_MS * 2 ** (tried - 1) * (0.5 + Math.random()))
    }
}

/** The user who acts; only routes with a session and their actions may ask. */
export function viewerOf(scope: Scope): Viewer {
  if (!scope.viewer) throw new Error('nobody acts here')
  return scope.viewer
}
