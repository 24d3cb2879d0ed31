import { setTimeout as pause } from 'node:timers/promises'
import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import type { Logger } from 'pino'
import type { Database, How, Sql } from './db.ts'
import { wasEndedForAnother } from './errors.ts'
import type { Emitted, Event } from './events.ts'
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
  /** The same for what only reads: the database refuses a write. What is asked at once is a transaction of its own. */
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** `read` for a list, or for what waits: by its index, however little the database knows of the table yet. */
  list<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** `list` for statements that are always the same but for their values (`prepared`): planned once, for any of them. */
  page<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

/** A scope inside its open transaction. What it emits is announced after the commit, or never. */
export interface Tx extends Scope {
  sql: Sql
  emit<Payload>(event: Event<Payload>, payload: Payload): void
  /** Lets the features above take part in this transaction now (their `within`), before it goes on. */
  involve<Payload>(event: Event<Payload>, payload: Payload): Promise<void>
  /** One line of the log for what a person would ask about, after the commit. */
  note(sentence: string, facts: object): void
  /** Enqueues a job in this commit. */
  enqueue<Data extends object>(
    job: Job<Data>,
    data: Data,
    options?: { after?: Date | number; key?: string; id?: string },
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

interface Deps {
  database: Database
  log: Logger
  timeZone: string
  publish(scope: Scope, payload: Emitted[]): void
  involve(tx: Tx, payload: Emitted): Promise<void>
  record(tx: Tx, news: Emitted[]): Promise<void>
  enqueue: (sql: Sql, companyId: number, ...rest: Parameters<Tx['enqueue']>) => Promise<void>
}

/** Makes scopes over one database. `announce` is called after each commit that emitted something. */
export function scopes(deps: Deps) {
  function inCompany(
    companyId: number,
    viewer: Viewer | null = null,
    requestId = '',
    promised = false,
  ): Scope {
    if (!Number.isInteger(companyId)) throw new Error(`not a company: ${companyId}`)
    // a visitor changes nothing, whatever is done in his name
    const reading = viewer?.visitId !== undefined
    const scope: Scope = {
      companyId,
      viewer,
      requestId,
      timeZone: deps.timeZone,
      transaction: work => open(deps, scope, work, { promised, reading }),
      read: work => open(deps, scope, work, { promised, reading: true }),
      list: work => open(deps, scope, work, { promised, reading: true, listing: true }),
      page: work => open(deps, scope, work, { promised, reading: true, listing: true, planned: true }),
    }
    return scope
  }

  const platform = (requestId = ''): PlatformScope => ({
    requestId,
    // what no call asked for is the house's own work
    transaction: work => deps.database.transaction('', work, { patient: requestId === '' }),
    inCompany: (companyId, viewer) => inCompany(companyId, viewer, requestId),
  })

  /** For what was taken on and must go through: messages on their way in and out. People's calls stand behind it. */
  const promised = (companyId: number) => inCompany(companyId, null, '', true)

  return { inCompany, promised, platform }
}
export type Scopes = ReturnType<typeof scopes>

/** What a transaction leaves to be told when it stands. */
interface Said {
  payload: Emitted[]
  notes: [facts: object, sentence: string][]
}

async function open<T>(
  deps: Deps,
  scope: Scope,
  work: (tx: Tx) => Promise<T>,
  kind: Pick<How, 'reading' | 'listing' | 'planned' | 'promised'>,
): Promise<T> {
  const wall = `set local role ${TENANT_ROLE}; set local app.company_id = '${scope.companyId}'`
  const how = { ...kind, company: scope.companyId, patient: scope.viewer === null }
  const said: Said = { payload: [], notes: [] }
  const once = () => {
    said.payload.length = 0
    said.notes.length = 0
    return deps.database.transaction(
      wall,
      sql => recorded(deps, txOf(deps, scope, sql, said), work, said),
      how,
    )
  }
  const result = await untilItStands(once)
  for (const [facts, sentence] of said.notes)
    deps.log.info({ companyId: scope.companyId, ...facts }, sentence)
  if (said.payload.length > 0) deps.publish(scope, said.payload)
  return result
}

async function recorded<T>(deps: Deps, tx: Tx, work: (tx: Tx) => Promise<T>, { payload }: Said): Promise<T> {
  const result = await work(tx)
  if (payload.length > 0) await deps.record(tx, [...payload])
  return result
}

function txOf(deps: Deps, scope: Scope, sql: Sql, { payload, notes }: Said): Tx {
  const tx: Tx = {
    ...scope,
    sql,
    transaction: inner => inner(tx),
    read: inner => inner(tx),
    list: inner => inner(tx),
    page: inner => inner(tx),
    emit: (event, what) => void payload.push({ event, payload: what }),
    note: (sentence, facts) => void notes.push([facts, sentence]),
    involve: (event, what) => deps.involve(tx, { event, payload: what }),
    enqueue: (job, data, options) => deps.enqueue(sql, scope.companyId, job as Job<object>, data, options),
  }
  return tx
}

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
