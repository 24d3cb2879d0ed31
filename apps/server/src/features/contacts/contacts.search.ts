import type { Scope, Tx } from '../../platform/scope.ts'
import { and, eq, or, type SQL, sql as tag } from '../../platform/sql.ts'
import { selectContacts } from './contacts.queries.ts'
import { contacts } from './contacts.table.ts'

/** One page of contacts by name. `count` is of all that match. */
export const listContacts = (
  scope: Scope,
  input: { searchParam?: string; pageNumber?: number },
  size: number,
) =>
  scope.read(async tx => {
    const { searchParam = '', pageNumber = 1 } = input
    const where = and(eq(contacts.companyId, tx.companyId), named(searchParam))
    const rows = await selectContacts(tx.sql, where, { limit: size + 1, offset: (pageNumber - 1) * size })
    return { contacts: rows.slice(0, size), hasMore: rows.length > size, count: await count(tx, where) }
  })

function named(searchParam: string): SQL | undefined {
  const term = searchParam.trim().toLowerCase()
  if (!term) return undefined
  const like = `%${term.replace(/[\\%_]/g, found => `\\${found}`)}%`
  const digits = term.replace(/\D/g, '')
  return or(
    tag`lower(${contacts.name}) like ${like}`,
    digits ? tag`${contacts.number} like ${`%${digits}%`}` : undefined,
  )
}

async function count(tx: Tx, where: SQL | undefined) {
  const [row] = await tx.sql.select({ count: tag<number>`count(*)::int` }).from(contacts).where(where)
  return row?.count ?? 0
}
