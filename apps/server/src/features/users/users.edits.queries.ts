import { and, eq, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { lifetime } from '../../platform/work/retention.ts'
import { recordEdits as edits } from './users.edits.table.ts'
import { users } from './users.table.ts'

export const writeEdit = (tx: Tx, record: string, userId: number) =>
  tx.sql.execute(tag`insert into record_edits (company_id, record, user_id)
    select company_id, ${record}::uuid, id from users where company_id = ${tx.companyId} and id = ${userId}
    on conflict (company_id, record) do update set user_id = excluded.user_id, at = now()`)

/** Who changed a record last, in the last days; null for an unknown one. */
export async function lastEdit(tx: Tx, record: string) {
  const [row] = await tx.sql
    .select({ userId: users.id, name: users.name, at: edits.at })
    .from(edits)
    .innerJoin(users, and(eq(users.companyId, edits.companyId), eq(users.id, edits.userId)))
    .where(and(eq(edits.companyId, tx.companyId), eq(edits.record, record)))
  return row ?? null
}

/** A form that is open longer sees what changed, not who did it. */
export const editsLifetime = lifetime(edits, edits.at, 7)
