import type { PageQuery } from '@balcao/contract/kit.ts'
import type { PauseReason, PauseReasonInput } from '@balcao/contract/pauseReasons.ts'
import { databaseTime } from '../../platform/clock.ts'
import { refuse } from '../../platform/errors.ts'
import { containing, firstIn, onePage } from '../../platform/lists/lists.ts'
import { and, eq, getTableColumns, isNull, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { pauseReasons } from './pauseReasons.table.ts'

const { companyId: _company, removedAt: _removed, ...shown } = getTableColumns(pauseReasons)

/** One page by name; the search looks at name. */
export async function listPauseReasons(tx: Tx, asked: PageQuery) {
  const found = tx.sql
    .select(shown)
    .from(pauseReasons)
    .where(
      and(
        eq(pauseReasons.companyId, tx.companyId),
        isNull(pauseReasons.removedAt),
        containing(asked.searchParam, pauseReasons.name),
      ),
    )
    .orderBy(
      firstIn(pauseReasons.name, asked.searchParam),
      tag`folded(${pauseReasons.name})`,
      pauseReasons.id,
    )
  const { rows, hasMore } = await onePage(asked, (limit, offset) => found.limit(limit).offset(offset))
  return { pauseReasons: rows, hasMore }
}

/** Refuses with ERR_NOT_FOUND. */
export async function findPauseReason(tx: Tx, pauseReasonId: number): Promise<PauseReason> {
  const [pauseReason] = await tx.sql.select(shown).from(pauseReasons).where(own(tx, pauseReasonId))
  return pauseReason ?? refuse('ERR_NOT_FOUND', { field: 'pauseReasonId' })
}

export async function insertPauseReason(tx: Tx, input: PauseReasonInput): Promise<PauseReason> {
  const values = { ...input, companyId: tx.companyId }
  const [pauseReason] = await tx.sql.insert(pauseReasons).values(values).returning(shown)
  return pauseReason!
}

/** Refuses with ERR_NOT_FOUND. */
export async function updatePauseReason(
  tx: Tx,
  pauseReasonId: number,
  input: PauseReasonInput,
): Promise<PauseReason> {
  const [pauseReason] = await tx.sql
    .update(pauseReasons)
    .set(input)
    .where(own(tx, pauseReasonId))
    .returning(shown)
  return pauseReason ?? refuse('ERR_NOT_FOUND', { field: 'pauseReasonId' })
}

/** Takes it from the list: pauses of the past keep its name. Refuses with ERR_NOT_FOUND. */
export async function deletePauseReason(tx: Tx, pauseReasonId: number): Promise<void> {
  const deleted = await tx.sql
    .update(pauseReasons)
    .set({ removedAt: databaseTime() })
    .where(own(tx, pauseReasonId))
    .returning(shown)
  if (deleted.length === 0) refuse('ERR_NOT_FOUND', { field: 'pauseReasonId' })
}

const own = (tx: Tx, pauseReasonId: number) =>
  and(
    eq(pauseReasons.companyId, tx.companyId),
    eq(pauseReasons.id, pauseReasonId),
    isNull(pauseReasons.removedAt),
  )
