import type { DeliveryState } from '@balcao/contract/deliveries.ts'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Secrets } from '../access/secrets.ts'
import { databaseTime } from '../clock.ts'
import type { Config } from '../config.ts'
import { perProduct } from '../memory.ts'
import type { Sql } from '../postgres/db.ts'
import { eq, type SQL, type SQLWrapper, sql as tag } from '../postgres/sql.ts'
import type { Scope, Tx } from '../scope.ts'
import { type Due, type DueTools, due } from '../work/due.ts'
import { putOffsOf } from '../work/due-rows.ts'
import { claimRow, fromNow, type Leased, type LeasedValues, settleRow } from '../work/leases.ts'
import { openWorkTurns } from '../work/work-turns.ts'
import type { OutsideTarget } from './calls.ts'
import {
  afterTry,
  type PlainCall,
  postPlain,
  postSigned,
  type SignedCall,
  type WebhookAnswer,
} from './webhooks.ts'

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
  webhook: SignedCall | PlainCall
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
  claim(tx: Tx, id: string, secrets: Secrets, config: Config): Promise<Claimed<Row> | null>
  /** Writes the state, unless it is due at another time than `until`: it was requested anew meanwhile. */
  settle(tx: Tx, underWay: Claimed<Row>, tried: Tried, answer?: string): Promise<unknown>
  /** Between the tries (ms); when they are over it failed. */
  pauses: number[]
  /** As `/metrics` names who is called; `webhooks` unless it is given. */
  target?: OutsideTarget
}

/** The lease of a try (ms): no other worker tries the row meanwhile; after a crash the next one does. */
const CLAIM_MS = 60_000
/** How many are under way at once in all, of a company, and per receiver: a slow receiver delays no other. */
const AT_ONCE = 200
const COMPANY_AT_ONCE = 32
const RECEIVER_AT_ONCE = 5

/** Sends what is due, concurrently and outside of any transaction; companies in turn, and their receivers in turn. */
export function webhookDue<Row>(name: string, outbox: WebhookOutbox<Row>): Due {
  const placesOf = perProduct(() => openWorkTurns({ all: AT_ONCE, ofOne: COMPANY_AT_ONCE }))
  const receiversOf = perProduct(() =>
    openWorkTurns<string>({ all: Number.POSITIVE_INFINITY, ofOne: RECEIVER_AT_ONCE }),
  )

  const look: Due['run'] = async tools => {
    const [places, receivers, putOffs] = [placesOf(tools), receiversOf(tools), putOffsOf(tools, name)]
    const found = await tools.scopes.platform().transaction(async sql => outbox.due(sql))
    const waiting = Map.groupBy(
      found.filter(({ companyId, id }) => !putOffs.has({ companyId, id })),
      ({ companyId }) => companyId,
    )
    for (;;) {
      const companyId = places.next(waiting.keys())
      if (companyId === null) return false
      const rows = waiting.get(companyId)!
      const receiver = receivers.next(rows.map(keyOf))
      if (receiver === null) {
        waiting.delete(companyId)
        continue
      }
      const [row] = rows.splice(
        rows.findIndex(one => keyOf(one) === receiver),
        1,
      )
      const ids = { companyId, id: row!.id }
      places.take(companyId)
      receivers.take(receiver)
      tools.beside(() =>
        deliver(tools, outbox, tools.scopes.inCompany(companyId), ids.id)
          .then(() => putOffs.forget(ids))
          .catch(error => putOffs.failed(ids, error, tools.log))
          .finally(() => {
            places.release(companyId)
            receivers.release(receiver)
          }),
      )
    }
  }
  return due(name, look, outbox.due)
}

const keyOf = ({ companyId, receiver }: WaitingCall) => `${companyId} ${receiver}`

async function deliver<Row>(
  { secrets, outbound, config }: DueTools,
  outbox: WebhookOutbox<Row>,
  scope: Scope,
  id: string,
): Promise<void> {
  const claimed = await scope.transaction(tx => outbox.claim(tx, id, secrets, config))
  if (!claimed) return
  const { webhook } = claimed
  const outside = outbound.by({ target: outbox.target ?? 'webhooks', companyId: scope.companyId })
  const { answer, ...result } = await ('secret' in webhook
    ? postSigned(outside, webhook)
    : postPlain(outside, webhook))
  const { state, pauseMs } = afterTry(result, claimed.attempts, claimed.pauses ?? outbox.pauses)
  const dueAt = pauseMs === null ? null : fromNow(pauseMs)
  const tried = { ...result, state, dueAt, triedAt: databaseTime() }
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
