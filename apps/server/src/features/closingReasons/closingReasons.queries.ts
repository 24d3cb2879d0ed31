import {
  type ClosingReason,
  type ClosingReasonInput,
  MAX_CLOSING_REASONS,
} from '@balcao/contract/closingReasons.ts'
import type { PageQuery } from '@balcao/contract/kit.ts'
import { databaseTime } from '../../platform/clock.ts'
import { refuse } from '../../platform/errors.ts'
import { containing, firstIn, onePage } from '../../platform/lists/lists.ts'
import { and, eq, isNull, type SQL, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { closingReasons } from './closingReasons.table.ts'

const shown = {
  id: closingReasons.id,
  name: closingReasons.name,
  queueIds: closingReasons.queueIds,
  active: closingReasons.active,
  spam: closingReasons.spam,
}

/** One page by name; the search looks at name. */
export async function listClosingReasons(tx: Tx, asked: PageQuery) {
  const found = selectReasons(tx, containing(asked.searchParam, closingReasons.name)).orderBy(
    firstIn(closingReasons.name, asked.searchParam),
    byName,
    closingReasons.id,
  )
  const { rows, hasMore } = await onePage(asked, (limit, offset) => found.limit(limit).offset(offset))
  return { closingReasons: rows, hasMore }
}

const byName = tag`folded(${closingReasons.name})`

/** Those that are offered for tickets of a queue (0: without one), or of any where none is named. */
export const reasonsFor = (tx: Tx, queueId: number | undefined): PromiseLike<ClosingReason[]> =>
  selectReasons(tx, and(closingReasons.active, queueId === undefined ? undefined : closesIn(queueId)))
    .orderBy(byName, closingReasons.id)
    .limit(MAX_CLOSING_REASONS)

const closesIn = (queueId: number | null) =>
  tag`(cardinality(${closingReasons.queueIds}) = 0 or ${queueId ?? 0}::int = any(${closingReasons.queueIds}))`

const selectReasons = (tx: Tx, where: SQL | undefined) =>
  tx.sql
    .select(shown)
    .from(closingReasons)
    .where(and(eq(closingReasons.companyId, tx.companyId), isNull(closingReasons.deletedAt), where))

/** Refuses with ERR_NO_CLOSING_REASON_FOUND. */
export async function findClosingReason(tx: Tx, closingReasonId: number): Promise<ClosingReason> {
  const [closingReason] = await selectReasons(tx, eq(closingReasons.id, closingReasonId))
  return closingReason ?? refuse('ERR_NO_CLOSING_REASON_FOUND', { field: 'closingReasonId' })
}

/** A reason that may close tickets of a queue, and its name; null for any other. */
export async function usableReason(tx: Tx, closingReasonId: number, queueId: number | null) {
  const [reason] = await selectReasons(
    tx,
    and(eq(closingReasons.id, closingReasonId), closingReasons.active, closesIn(queueId)),
  )
  return reason ?? null
}

/** Closing reasons of the company are not added by others until the transaction ends. */
export async function countReasons(tx: Tx): Promise<number> {
  await tx.sql.execute(tag`select pg_advisory_xact_lock(hashtext('closingReasons'), ${tx.companyId})`)
  const [row] = await tx.sql
    .select({ count: tag<number>`count(*)::int` })
    .from(closingReasons)
    .where(and(eq(closingReasons.companyId, tx.companyId), isNull(closingReasons.deletedAt)))
  return row!.count
}

export async function insertClosingReason(tx: Tx, input: ClosingReasonInput): Promise<ClosingReason> {
  const { name, queueIds = [], active = true, spam = false } = input
  const values = { name, queueIds, active, spam, companyId: tx.companyId }
  const [closingReason] = await tx.sql.insert(closingReasons).values(values).returning(shown)
  return closingReason!
}

/** Refuses with ERR_NO_CLOSING_REASON_FOUND. */
export async function updateClosingReason(
  tx: Tx,
  closingReasonId: number,
  input: Partial<typeof closingReasons.$inferInsert>,
): Promise<ClosingReason> {
  const [closingReason] = await tx.sql
    .update(closingReasons)
    // of an empty change too there is a statement
    .set({ ...input, companyId: tx.companyId })
    .where(own(tx, closingReasonId))
    .returning(shown)
  return closingReason ?? refuse('ERR_NO_CLOSING_REASON_FOUND', { field: 'closingReasonId' })
}

/** Refuses with ERR_NO_CLOSING_REASON_FOUND. */
export const deleteClosingReason = (tx: Tx, closingReasonId: number) =>
  updateClosingReason(tx, closingReasonId, { deletedAt: databaseTime(), active: false })

/** A queue is deleted: what closed tickets of this one alone is not offered any more. */
export const takeQueueFromReasons = (tx: Tx, queueId: number): PromiseLike<ClosingReason[]> =>
  tx.sql
    .update(closingReasons)
    .set({
      queueIds: tag`array_remove(${closingReasons.queueIds}, ${queueId}::int)`,
      active: tag`${closingReasons.active} and cardinality(${closingReasons.queueIds}) > 1`,
    })
    .where(
      and(
        eq(closingReasons.companyId, tx.companyId),
        isNull(closingReasons.deletedAt),
        tag`${queueId}::int = any(${closingReasons.queueIds})`,
      ),
    )
    .returning(shown)

const own = (tx: Tx, closingReasonId: number) =>
  and(
    eq(closingReasons.companyId, tx.companyId),
    eq(closingReasons.id, closingReasonId),
    isNull(closingReasons.deletedAt),
  )
