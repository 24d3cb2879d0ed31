import type { Sql } from '../../platform/postgres/db.ts'
import { and, eq, inArray, isNotNull, isNull } from '../../platform/postgres/sql.ts'
import { payments } from '../invoices/invoices.ledger.table.ts'
import { users } from '../users/users.table.ts'

/** The payments that wait for a master, and of which no e-mail was written. */
export async function unnotifiedReviews(sql: Sql): Promise<number[]> {
  const rows = await sql
    .select({ id: payments.id })
    .from(payments)
    .where(and(isNotNull(payments.review), isNull(payments.voidedAt), isNull(payments.reviewNotifiedAt)))
    .orderBy(payments.id)
    .limit(MOST_COUNTED)
  return rows.map(({ id }) => id)
}

/** So many are counted in one e-mail. */
const MOST_COUNTED = 1_000

export const markNotified = (sql: Sql, ids: number[], notifiedAt: string) =>
  sql.update(payments).set({ reviewNotifiedAt: notifiedAt }).where(inArray(payments.id, ids))

export const mastersToNotify = (sql: Sql) =>
  sql
    .select({ id: users.id, companyId: users.companyId, email: users.email })
    .from(users)
    .where(and(eq(users.master, 1), isNull(users.restingSince)))
    .orderBy(users.id)
