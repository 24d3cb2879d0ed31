import type { PageQuery } from '@balcao/contract/kit.ts'
import type { QuickAnswer, QuickAnswerInput } from '@balcao/contract/quickAnswers.ts'
import { refuse } from '../../platform/errors.ts'
import { containing, firstIn, onePage } from '../../platform/lists/lists.ts'
import { and, eq, getTableColumns, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { ownedVisibly } from './quickAnswers.owners.queries.ts'
import { quickAnswers } from './quickAnswers.table.ts'

const { companyId: _company, ...shown } = getTableColumns(quickAnswers)

/** One page by shortcut; the search looks at shortcut and message. */
export async function listQuickAnswers(tx: Tx, asked: PageQuery) {
  const found = tx.sql
    .select(shown)
    .from(quickAnswers)
    .where(
      and(
        eq(quickAnswers.companyId, tx.companyId),
        ownedVisibly(tx),
        containing(asked.searchParam, quickAnswers.shortcut, quickAnswers.message),
      ),
    )
    .orderBy(
      firstIn(quickAnswers.shortcut, asked.searchParam),
      tag`folded(${quickAnswers.shortcut})`,
      quickAnswers.id,
    )
  const { rows, hasMore } = await onePage(asked, (limit, offset) => found.limit(limit).offset(offset))
  return { quickAnswers: rows, hasMore }
}

/** Refuses with ERR_NOT_FOUND. */
export async function findQuickAnswer(tx: Tx, quickAnswerId: number): Promise<QuickAnswer> {
  const [quickAnswer] = await tx.sql.select(shown).from(quickAnswers).where(own(tx, quickAnswerId))
  return quickAnswer ?? refuse('ERR_NOT_FOUND', { field: 'quickAnswerId' })
}

export async function insertQuickAnswer(tx: Tx, input: QuickAnswerInput): Promise<QuickAnswer> {
  const values = { ...input, companyId: tx.companyId }
  const [quickAnswer] = await tx.sql.insert(quickAnswers).values(values).returning(shown)
  return quickAnswer!
}

/** Refuses with ERR_NOT_FOUND. */
export async function updateQuickAnswer(
  tx: Tx,
  quickAnswerId: number,
  input: QuickAnswerInput,
): Promise<QuickAnswer> {
  const [quickAnswer] = await tx.sql
    .update(quickAnswers)
    .set(input)
    .where(own(tx, quickAnswerId))
    .returning(shown)
  return quickAnswer ?? refuse('ERR_NOT_FOUND', { field: 'quickAnswerId' })
}

/** Refuses with ERR_NOT_FOUND. */
export async function deleteQuickAnswer(tx: Tx, quickAnswerId: number): Promise<void> {
  const deleted = await tx.sql.delete(quickAnswers).where(own(tx, quickAnswerId)).returning(shown)
  if (deleted.length === 0) refuse('ERR_NOT_FOUND', { field: 'quickAnswerId' })
}

const own = (tx: Tx, quickAnswerId: number) =>
  and(eq(quickAnswers.companyId, tx.companyId), eq(quickAnswers.id, quickAnswerId), ownedVisibly(tx))
