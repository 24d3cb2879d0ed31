import type { PgColumn, PgTable, PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { Sql } from './db.ts'
import { type Due, type DueTools, due } from './due.ts'
import type { Scope, Tx } from './scope.ts'
import type { Secrets } from './secrets.ts'
import { and, eq, lte, type SQL, sql as tag } from './sql.ts'
import { afterTry, postSigned, type SignedCall, type WebhookAnswer } from './webhooks.ts'

/** A row that waits to be told to another system. */
export interface WaitingCall {
  companyId: number
  id: string
  /** Whose it is: of one receiver only so many are under way. */
  receiver: string | number
}

/** It as it is tried: the next time by the same id. */
export type Claimed<Row> = Row & { attempts: number; webhook: SignedCall }

/** It while it is tried, and until when it was taken for that. */
export type UnderWay<Row> = Claimed<Row> & { until: string }

/** How it stands after a try, as the columns of its row. */
export type Tried = WebhookAnswer & ReturnType<typeof afterTry> & { triedAt: string }

/** The rows of one feature that tell other systems; each stands until it was told or given up. */
export interface WebhookOutbox<Row> {
  /** What is due, of all companies; a few of each receiver. */
  due(sql: Sql): Promise<WaitingCall[]>
  /** Takes one that is due until then, counting the try; null when another worker has it, or it is not to be told now. */
  claim(tx: Tx, id: string, until: string, secrets: Secrets): Promise<Claimed<Row> | null>
  /** Writes down how it stands, unless it is due at another time than `until`: somebody asked for it anew meanwhile. */
  settle(tx: Tx, underWay: UnderWay<Row>, tried: Tried): Promise<unknown>
  /** Between the tries (ms); when they are over it failed. */
  pauses: number[]
}

/** While it is tried no other worker tries it; whoever dies meanwhile leaves it to the next. */
const CLAIM_MS = 60_000
/** So many are under way at once, and so many of one receiver: who answers slowly delays no other. */
const AT_ONCE = 200
const RECEIVER_AT_ONCE = 5

/** Tells what is due, each outside of any transaction and beside the others. */
export function webhookDue<Row>(name: string, outbox: WebhookOutbox<Row>): Due {
  // by installation: a process of tests runs several
  const everything = new WeakMap<DueTools['scopes'], Map<string, number>>()

  return due(name, async tools => {
    const underWay = everything.get(tools.scopes) ?? new Map<string, number>()
    everything.set(tools.scopes, underWay)
    for (const { companyId, id, receiver } of await tools.scopes.platform().transaction(outbox.due)) {
      const key = `${companyId} ${receiver}`
      if (!takePlace(underWay, key)) continue
      const scope = tools.scopes.inCompany(companyId)
      tools.beside(() => tell(tools, outbox, scope, id).finally(() => leavePlace(underWay, key)))
    }
    return false
  })
}

async function tell<Row>(
  { secrets, outbound }: DueTools,
  outbox: WebhookOutbox<Row>,
  scope: Scope,
  id: string,
): Promise<void> {
  const until = new Date(Date.now() + CLAIM_MS).toISOString()
  const claimed = await scope.transaction(tx => outbox.claim(tx, id, until, secrets))
  if (!claimed) return
  const answer = await postSigned(outbound, claimed.webhook)
  const tried = {
    ...answer,
    ...afterTry(answer, claimed.attempts, outbox.pauses),
    triedAt: new Date().toISOString(),
  }
  await scope.transaction(tx => outbox.settle(tx, { ...claimed, until }, tried))
}

function takePlace(underWay: Map<string, number>, key: string): boolean {
  const ofThis = underWay.get(key) ?? 0
  const all = [...underWay.values()].reduce((sum, count) => sum + count, 0)
  if (ofThis >= RECEIVER_AT_ONCE || all >= AT_ONCE) return false
  underWay.set(key, ofThis + 1)
  return true
}

function leavePlace(underWay: Map<string, number>, key: string): void {
  const left = underWay.get(key)! - 1
  if (left === 0) underWay.delete(key)
  else underWay.set(key, left)
}

interface CallColumns {
  companyId: PgColumn
  id: PgColumn
  dueAt: PgColumn
  attempts: PgColumn
}

/**
 * What is due, a few of each receiver: one who answers slowly, or not at all, keeps nobody else from being found. Goes
 * from receiver to receiver by an index on company, receiver and `due_at` where that is not null.
 */
export function dueOfEach(
  sql: Sql,
  table: PgTable & CallColumns,
  receiver: PgColumn,
  /** What else must hold. */
  more: SQL = tag`true`,
): Promise<WaitingCall[]> {
  const [company, whose] = [tag.identifier(table.companyId.name), tag.identifier(receiver.name)]
  const found = tag`(with recursive receivers (company, receiver) as (
      (select ${company}, ${whose} from ${table} where due_at is not null order by 1, 2 limit 1)
    union all
      select following.* from receivers r cross join lateral (
        select ${company}, ${whose} from ${table} where due_at is not null
          and (${company}, ${whose}) > (r.company, r.receiver) order by 1, 2 limit 1) following)
    select r.company, r.receiver, waiting.id from receivers r cross join lateral (
      select ${table.id} as id from ${table} where ${table.companyId} = r.company and ${receiver} = r.receiver
        and ${table.dueAt} <= ${new Date().toISOString()} and ${more}
        order by ${table.dueAt} limit ${RECEIVER_AT_ONCE}) waiting) found`
  return sql
    .select({
      companyId: tag<number>`found.company`,
      id: tag<string>`found.id`,
      receiver: tag<WaitingCall['receiver']>`found.receiver`,
    })
    .from(found)
}

/** Takes one that is due until then, counting the try: nothing was answered to it yet. Null when another worker has it. */
export async function claimIn<Table extends PgTable & CallColumns>(
  tx: Tx,
  table: Table,
  id: string,
  until: string,
): Promise<Table['$inferSelect'] | null> {
  const taken = { dueAt: until, attempts: tag`${table.attempts} + 1`, status: null, error: '' }
  const rows = await tx.sql
    .update(table)
    .set(taken as PgUpdateSetSource<Table>)
    .where(
      and(eq(table.companyId, tx.companyId), eq(table.id, id), lte(table.dueAt, new Date().toISOString())),
    )
    .returning()
  return (rows as Table['$inferSelect'][])[0] ?? null
}

/** Writes how a call stands; with `until` only while that try of it is the last. True when it was written. */
export async function settleIn<Table extends PgTable & CallColumns>(
  tx: Tx,
  table: Table,
  id: string,
  values: Partial<Table['$inferInsert']>,
  until?: string,
): Promise<boolean> {
  const written = await tx.sql
    .update(table)
    .set(values as PgUpdateSetSource<Table>)
    .where(
      and(
        eq(table.companyId, tx.companyId),
        eq(table.id, id),
        until === undefined ? undefined : eq(table.dueAt, until),
      ),
    )
    .returning({ id: table.id })
  return written.length > 0
}
