import { may } from '@balcao/contract/permissions.rules.ts'
import type { AnswerOwner } from '@balcao/contract/quickAnswers.rules.ts'
import type { QuickAnswer } from '@balcao/contract/quickAnswers.ts'
import { folded } from '@balcao/contract/words.rules.ts'
import {
  and,
  eq,
  getTableColumns,
  inArray,
  isNotNull,
  isNull,
  or,
  type SQL,
  sql as tag,
} from '../../platform/postgres/sql.ts'
import { type Tx, viewerOf } from '../../platform/scope.ts'
import { quickAnswers } from './quickAnswers.table.ts'

const { companyId: _company, ...shown } = getTableColumns(quickAnswers)

/** Rows of the company, of the viewer, and of the viewer's queues; of all queues where all tickets are shown. */
export function ownedVisibly(tx: Tx): SQL | undefined {
  const viewer = viewerOf(tx)
  const ofQueue = may(viewer, 'tickets:showAll')
    ? isNotNull(quickAnswers.queueId)
    : inArray(quickAnswers.queueId, viewer.queueIds)
  return or(ownedBy({ queueId: null, userId: null }), eq(quickAnswers.userId, viewer.id), ofQueue)
}

/** Quick answers of the company are not added, changed or deleted by others until the transaction ends. */
export const lockQuickAnswers = (tx: Tx) =>
  tx.sql.execute(tag`select pg_advisory_xact_lock(hashtext('quickAnswers'), ${tx.companyId})`)

/** The quick answers of this owner with this shortcut, whatever its case and accents. */
export const answersNamed = (tx: Tx, shortcut: string, owner: AnswerOwner): PromiseLike<QuickAnswer[]> =>
  tx.sql
    .select(shown)
    .from(quickAnswers)
    .where(
      and(
        eq(quickAnswers.companyId, tx.companyId),
        eq(tag`folded(${quickAnswers.shortcut})`, folded(shortcut)),
        ownedBy(owner),
      ),
    )
    .orderBy(quickAnswers.id)

/** Gives the quick answers of a queue to the company. */
export const releaseFromQueue = (tx: Tx, queueId: number): PromiseLike<QuickAnswer[]> =>
  tx.sql
    .update(quickAnswers)
    .set({ queueId: null })
    .where(and(eq(quickAnswers.companyId, tx.companyId), eq(quickAnswers.queueId, queueId)))
    .returning(shown)

const ownedBy = ({ queueId, userId }: AnswerOwner) =>
  and(
    queueId === null ? isNull(quickAnswers.queueId) : eq(quickAnswers.queueId, queueId),
    userId === null ? isNull(quickAnswers.userId) : eq(quickAnswers.userId, userId),
  )
