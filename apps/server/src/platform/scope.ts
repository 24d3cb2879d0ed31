import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import type { Logger } from 'pino'
import { type Emitted, type Event, transactionEnding } from './events.ts'
import type { HasMemory, Memory } from './memory.ts'
import { type Database, type How, type Sql, sessionOfLane } from './postgres/db.ts'
import { sql as tag } from './postgres/sql.ts'
import type { Job } from './work/jobs.ts'

/**
 * On whose behalf code runs: one company, and one of its users unless the company acts by itself. First argument of every
 * action. Without it a query could reach another company; row-level security refuses what a query forgot.
 */
export interface Scope extends HasMemory {
  companyId: number
  viewer: Viewer | null
  requestId: string
  /** The default of the installation; the zone of a company is `zoneOf` of companies. */
  timeZone: string
  /**
   * `work` may run again (`Database.transaction`): what it does outside the transaction is not undone. A visitor's is a
   * snapshot that cannot write.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Statements that cannot write; two that are not sent together (`together`) may see different rows. */
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** `read` that uses indexes, also on tables without statistics. */
  list<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * The same scope, whose reads may be some seconds old: of reports, exports and searches. They load a copy of the database
   * where there is one, and the answer of the call says of which moment they are (`asOf`).
   */
  behind(): Scope
  /** Set by `behind`, where a copy answers. */
  asOf?: Date
  /** `list` with generic plans, for prepared statements (`prepared`). */
  page<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

/** A scope inside its open transaction. Emitted events are announced after the commit, or never. */
export interface Tx extends Scope {
  sql: Sql
  /** The same transaction for a piece of work beside others, each with a number, as a user of the company. */
  lane(at: number, viewer: Viewer | null): Tx
  emit<Payload>(event: Event<Payload>, payload: Payload): void
  /** Runs the `within` listeners of higher features in this transaction, before it continues. */
  involve<Payload>(event: Event<Payload>, payload: Payload): Promise<void>
  /** One line of the log, after the commit. */
  note(sentence: string, facts: object): void
  /** Called once with how this try of the transaction ended; false also where that is unknown. */
  ended(done: (isCommitted: boolean) => void): void
  /** Enqueues a job in this commit. */
  enqueue<Data extends object>(job: Job<Data>, data: Data, options?: EnqueueOptions): Promise<void>
}

export interface EnqueueOptions {
  after?: Date | number
  key?: string
  id?: string
  /** The user in whose name the job acts; the company itself unless it is given. */
  as?: Viewer | null
}

/** The platform's own work (login, master, scheduler, migrations): no company, no row-level security. */
export interface PlatformScope extends HasMemory {
  requestId: string
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  /** Read only, by indexes and with generic plans (`prepared`). */
  list<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  /** The scope of a company, as one of its users or as the company itself. */
  inCompany(companyId: number, viewer?: Viewer | null): Scope
  /** A transaction of a company that begins with work of the platform: both are one commit. */
  transactionOf<T>(
    companyId: number,
    begin: (sql: Sql) => Promise<unknown>,
    work: (tx: Tx) => Promise<T>,
  ): Promise<T>
}

export const TENANT_ROLE = 'balcao_tenant'

interface Deps {
  database: Database
  memory: Memory
  log: Logger
  timeZone: string
  publish(scope: Scope, payload: Emitted[]): void
  involve(tx: Tx, payload: Emitted): Promise<void>
  enqueue: (sql: Sql, companyId: number, ...rest: Parameters<Tx['enqueue']>) => Promise<void>
}

/** How the transactions of a scope differ from usual ones. */
type Kind = Omit<How, 'company' | 'patient'>

/** The scope `behind` of another: both say of which moment it is. */
function behindOf(scope: Scope, { database }: Deps, behind: Scope): Scope {
  const asOf = database.asOf()
  for (const one of [scope, behind]) if (asOf) one.asOf = asOf
  return behind
}

/** Makes scopes over one database. `publish` is called after each commit that emitted something. */
export function scopes(deps: Deps) {
  function scopeOf(
    { companyId, viewer, requestId }: Pick<Scope, 'companyId' | 'viewer' | 'requestId'>,
    kind: Kind,
  ): Scope {
    if (!Number.isInteger(companyId)) throw new Error(`not a company: ${companyId}`)
    const scope: Scope = {
      companyId,
      viewer,
      requestId,
      memory: deps.memory,
      timeZone: deps.timeZone,
      transaction: work =>
        open(deps, scope, viewer?.visitId === undefined ? 'transaction' : 'snapshot', work, kind),
      read: work => open(deps, scope, 'read', work, kind),
      list: work => open(deps, scope, 'read', work, { ...kind, listing: true }),
      page: work => open(deps, scope, 'read', work, { ...kind, listing: true, planned: true }),
      behind: () =>
        behindOf(scope, deps, scopeOf({ companyId, viewer, requestId }, { ...kind, behind: true })),
    }
    return scope
  }

  const inCompany = (companyId: number, viewer: Viewer | null = null, requestId = '') =>
    scopeOf({ companyId, viewer, requestId }, {})

  /** A company's work that another process may take over: each of its transactions begins with `check`, which throws then. */
  function ofJob(
    { companyId, viewer, requestId }: Pick<Scope, 'companyId' | 'viewer' | 'requestId'>,
    check: (sql: Sql) => Promise<unknown>,
  ): Scope {
    const scope = inCompany(companyId, viewer, requestId)
    return { ...scope, transaction: work => open(deps, scope, 'transaction', work, { begin: check }) }
  }

  function platform(requestId = ''): PlatformScope {
    // without a request it is the platform's own work: no request precedes it
    const how = { patient: requestId === '', promised: requestId === '' }
    return {
      requestId,
      memory: deps.memory,
      transaction: work => deps.database.transaction('', work, how),
      list: work => deps.database.read('', work, { ...how, listing: true, planned: true }),
      inCompany: (companyId, viewer) => inCompany(companyId, viewer, requestId),
      transactionOf: (companyId, begin, work) =>
        open(deps, inCompany(companyId, null, requestId), 'transaction', work, { begin }),
    }
  }

  /** For work that was accepted and must complete, such as messages in and out: it precedes users' calls. */
  const promised = (companyId: number) =>
    scopeOf({ companyId, viewer: null, requestId: '' }, { promised: true })

  /**
   * For a chore that does the same for thousands of companies: like `page`, its transactions use indexes, also of a table that
   * had no rows when the chore began, and generic plans.
   */
  const bulk = (companyId: number) =>
    scopeOf({ companyId, viewer: null, requestId: '' }, { listing: true, planned: true })

  return { inCompany, ofJob, promised, bulk, platform }
}
export type Scopes = ReturnType<typeof scopes>

/** What follows a commit; the lanes of a transaction share it. */
interface AfterCommit {
  emitted: Emitted[]
  notes: [facts: object, sentence: string][]
  endings: ((isCommitted: boolean) => void)[]
}

interface Begins {
  /** Before the transaction is that of the company. */
  begin?: (sql: Sql) => Promise<unknown>
}

async function open<T>(
  deps: Deps,
  scope: Scope,
  as: 'transaction' | 'snapshot' | 'read',
  work: (tx: Tx) => Promise<T>,
  { begin, ...kind }: Kind & Begins,
): Promise<T> {
  const opening = `set local role ${TENANT_ROLE}; set local app.company_id = '${scope.companyId}'`
  const how = { ...kind, company: scope.companyId, patient: scope.viewer === null }
  const after: AfterCommit = { emitted: [], notes: [], endings: [] }
  const end = (isCommitted: boolean) => {
    for (const done of after.endings.splice(0)) done(isCommitted)
  }
  const inScope = (sql: Sql) => {
    // of a try that was not committed
    after.emitted.length = 0
    after.notes.length = 0
    end(false)
    return ended(txOf(deps, scope, sql, after), work, after)
  }
  const both = async (sql: Sql) => {
    await begin?.(sql)
    await sql.execute(tag.raw(opening))
    return inScope(sql)
  }
  const asked = begin ? deps.database[as]('', both, how) : deps.database[as](opening, inScope, how)
  const result = await asked.catch((error: unknown) => {
    end(false)
    throw error
  })
  end(true)
  for (const [facts, sentence] of after.notes)
    deps.log.info({ companyId: scope.companyId, ...facts }, sentence)
  if (after.emitted.length > 0) deps.publish(scope, after.emitted)
  return result
}

async function ended<T>(tx: Tx, work: (tx: Tx) => Promise<T>, { emitted }: AfterCommit): Promise<T> {
  const result = await work(tx)
  if (emitted.length > 0) await tx.involve(transactionEnding, { emitted: [...emitted] })
  return result
}

function txOf(deps: Deps, scope: Scope, sql: Sql, after: AfterCommit): Tx {
  const { emitted, notes, endings } = after
  const tx: Tx = {
    ...scope,
    sql,
    transaction: inner => inner(tx),
    read: inner => inner(tx),
    list: inner => inner(tx),
    page: inner => inner(tx),
    lane: (at, as) => txOf(deps, { ...scope, viewer: as }, sessionOfLane(sql, at), after),
    emit: (event, payload) => void emitted.push({ event, payload }),
    note: (sentence, facts) => void notes.push([facts, sentence]),
    ended: done => void endings.push(done),
    involve: (event, payload) => deps.involve(tx, { event, payload }),
    enqueue: (job, data, options) => deps.enqueue(sql, scope.companyId, job, data, options),
  }
  return tx
}

/** The user who acts; throws outside of routes with a session and their actions. */
export function viewerOf(scope: Scope): Viewer {
  if (!scope.viewer) throw new Error('no user acts here')
  return scope.viewer
}
