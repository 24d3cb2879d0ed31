import type { QueueClosing } from '@balcao/contract/closingReasons.ts'
import { and, eq } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { queueClosings } from './closingReasons.table.ts'

const usual: QueueClosing = { reasonRequired: false, farewell: '' }
const { reasonRequired, farewell } = queueClosings

export async function closingOfQueue(tx: Tx, queueId: number | null): Promise<QueueClosing> {
  if (queueId === null) return usual
  const [row] = await tx.sql
    .select({ reasonRequired, farewell })
    .from(queueClosings)
    .where(and(eq(queueClosings.companyId, tx.companyId), eq(queueClosings.queueId, queueId)))
  return row ?? usual
}

/** Whether users have to give a reason in any queue. */
export async function someQueueRequires(tx: Tx): Promise<boolean> {
  const required = and(eq(queueClosings.companyId, tx.companyId), eq(queueClosings.reasonRequired, true))
  const rows = await tx.sql.select({ reasonRequired }).from(queueClosings).where(required).limit(1)
  return rows.length > 0
}

export const saveClosingOfQueue = (tx: Tx, queueId: number, closing: QueueClosing) =>
  tx.sql
    .insert(queueClosings)
    .values({ ...closing, queueId, companyId: tx.companyId })
    .onConflictDoUpdate({ target: [queueClosings.companyId, queueClosings.queueId], set: closing })
