import type { Sql } from '../../platform/db.ts'
import { users } from './users.table.ts'

/** The first user of a company that was just founded: its admin, who also sees its bill. */
export async function addFirstAdmin(
  sql: Sql,
  account: { companyId: number; name: string; email: string; passwordHash: string },
) {
  const [user] = await sql
    .insert(users)
    .values({ ...account, profile: 'admin', payPanelAccess: true })
    .returning({ id: users.id, name: users.name, email: users.email })
  return user!
}
