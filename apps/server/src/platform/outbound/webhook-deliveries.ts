import type { DeliveryState } from '@balcao/contract/deliveries.ts'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Secrets } from '../access/secrets.ts'
import { perProduct } from '../memory.ts'
import type { Sql } from '../postgres/db.ts'
import { eq, type SQL, type SQLWrapper, sql as tag } from '../postgres/sql.ts'
import type { Scope, Tx } from '../scope.ts'
import { openSlots } from '../work/concurrency.ts'
import { type Due, type DueTools, due } from '../work/due.ts'
import { putOffsOf } from '../work/due-rows.ts'
import { claimRow, fromNow, type Leased, type LeasedValues, settleRow } from '../work/leases.ts'
import { afterTry, postSigned, type SignedCall, type WebhookAnswer } from './webhooks.ts'

/** A row that waits to be sent to another system. */
export interface WaitingCall {
  companyId: number
  id: string
  /** Its receiver: for each only a few are under way. */
  receiver: string | number
}

/** A row as it is tried, and until when it is claimed; the next try has the same id. */
export type Claimed<Row> = Row & {
  attempts: number
  webhook: SignedCall
  until: string
  /** Instead of those of the outbox. */
  pauses?: number[]
}

/** The state after a try, as the columns of the row. */
export type Tried = Omit<WebhookAnswer, 'answer'> & {
  state: DeliveryState
  dueAt: SQL | null
  triedAt: string
}

/** The outbox of one feature towards other systems; a row stays due until it was delivered or given up. */
export interface WebhookOutbox<Row> {
  /** What is due, of all companies; a few of each receiver. */
  due(sql: Sql): PromiseLike<WaitingCall[]> & SQLWrapper
  /** Claims a due row, counting the try; null when another worker has it, or it is not to be sent now. */
  claim(tx: Tx, id: string, secrets: Secrets): Promise<Claimed<Row> | null>
  /** Writes the state, unless it is due at another time than `until`: it was requested anew meanwhile. */
  settle(tx: Tx, underWay: Claimed<Row>, tried: Tried, answer?: string): Promise<unknown>
  /** Between the tries (ms); when they are over it failed. */
  pauses: number[]
}

/** The lease of a try (ms): no other worker tries the row meanwhile; after a crash the next one does. */
const CLAIM_MS = 60_000
/** How many are under way at once, in all and per receiver: a slow receiver delays no other. */
const AT_ONCE = 200
const RECEIVER_AT_ONCE = 5

/** Sends what is due, concurrently and outside of any transaction. */
export function webhookDue<Row>(name: string, outbox: WebhookOutbox<Row>): Due {
  const slotsOf = perProduct(() => openSlots({ all: AT_ONCE, ofOne: RECEIVER_AT_ONCE }))

  const look: Due['run'] = async tools => {
    const underWay = slotsOf(tools)
    const putOffs = putOffsOf(tools, name)
    for (const { companyId, id, receiver } of await tools.scopes
      .platform()
      .transaction(async sql => outbox.due(sql))) {
      const key = `${companyId} ${receiver}`
      const ids = { companyId, id }
      if (putOffs.has(ids) || !underWay.acquire(key)) continue
      const scope = tools.scopes.inCompany(companyId)
      tools.beside(() =>
        deliver(tools, outbox, scope, id)
          .then(() => putOffs.forget(ids))
          .catch(error => putOffs.failed(ids, error, tools.log))
          .finally(() => underWay.release(key)),
      )
    }
    return false
  }
  return due(name, look, outbox.due)
}

async function deliver<Row>(
  { secrets, outbound }: DueTools,
  outbox: WebhookOutbox<Row>,
  scope: Scope,
  id: string,
): Promise<void> {
  const claimed = await scope.transaction(tx => outbox.claim(tx, id, secrets))
  if (!claimed) return
  const { answer, ...result } = await postSigned(outbound, claimed.webhook)
  const { state, pauseMs } = afterTry(result, claimed.attempts, claimed.pauses ?? outbox.pauses)
  const dueAt = pauseMs === null ? null : fromNow(pauseMs)
  const tried = { ...result, state, dueAt, triedAt: new Date().toISOString() }
  await scope.transaction(tx => outbox.settle(tx, claimed, tried, answer))
}

interface CallColumns {
  companyId: PgColumn
  id: PgColumn
  dueAt: PgColumn
  attempts: PgColumn
}

/** The receiver whose rows are looked for, in a condition of `dueOfEach`. */
export const RECEIVER = { company: tag.raw('r.company'), id: tag.raw('r.receiver') }

/**
 * The due rows, a few per receiver: a receiver that answers slowly hides no other. Goes from receiver to receiver by an
 * index on company, receiver and `due_at` where that is not null.
 */
export function dueOfEach(
  sql: Sql,
  table: PgTable & CallColumns,
  receiver: PgColumn,
  /** What else must hold: one of these. Each is looked for by itself, so that an index can serve it. */
  kinds: SQL[] = [tag`true`],
): PromiseLike<WaitingCall[]> & SQLWrapper {
  const [company, whose] = [tag.identifier(table.companyId.name), tag.identifier(receiver.name)]
  const found = tag`(with recursive receivers (company, receiver) as (
      (select ${company}, ${whose} from ${table} where due_at is not null order by 1, 2 limit 1)
    union all
      select following.* from receivers r cross join lateral (
        select ${company}, ${whose} from ${table} where due_at is not null
          and (${company}, ${whose}) > (r.company, r.receiver) order by 1, 2 limit 1) following)
    select r.company, r.receiver, waiting.id from receivers r cross join lateral (${tag.join(
      kinds.map(
        kind => tag`(select ${table.id} as id from ${table}
          where ${table.companyId} = ${RECEIVER.company} and ${receiver} = ${RECEIVER.id}
            and ${table.dueAt} <= now() and ${kind} order by ${table.dueAt} limit ${RECEIVER_AT_ONCE})`,
      ),
      tag` union all `,
    )}) waiting) found`
  return sql
    .select({
      companyId: tag<number>`found.company`,
      id: tag<string>`found.id`,
      receiver: tag<WaitingCall['receiver']>`found.receiver`,
    })
    .from(found)
}

/** Claims a due row, counting the try and clearing the previous answer. Null when another worker has it. */
export const claimIn = <Table extends Leased & CallColumns>(tx: Tx, table: Table, id: string) =>
  claimRow(tx, table, eq(table.id, id), CLAIM_MS, { status: null, error: '' } as LeasedValues<Table>)

/** Writes the state of a call; with `until` only while that try is the last. True when it was written. */
export const settleIn = <Table extends Leased & CallColumns>(
  tx: Tx,
  table: Table,
  id: string,
  values: LeasedValues<Table>,
  until?: string,
): Promise<boolean> => settleRow(tx, table, eq(table.id, id), values, until)
