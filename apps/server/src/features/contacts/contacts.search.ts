import type { ContactQuery } from '@balcao/contract/contacts.ts'
import { containing, onePage } from '../../platform/lists.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { and, eq, inArray, or, type SQL, sql as tag } from '../../platform/sql.ts'
import { inCategories } from './contacts.categories.ts'
import { selectContacts } from './contacts.queries.ts'
import { contacts } from './contacts.table.ts'

/** One page of contacts by name. `count` is of all that match. */
export const listContacts = (scope: Scope, asked: ContactQuery, size: number) =>
  scope.list(async tx => {
    const { searchParam, selectedContactCategories: chosen } = asked
    const where = and(
      eq(contacts.companyId, tx.companyId),
      named(searchParam),
      chosen?.length ? inArray(contacts.id, inCategories(tx, chosen)) : undefined,
    )
    const { rows, hasMore } = await onePage(
      asked,
      (limit, offset) => selectContacts(tx.sql, where, { limit, offset }),
      size,
    )
    return { contacts: rows, hasMore, count: await count(tx, where) }
  })

/** Digits are looked for in the number however they were written: (71) 9402. */
function named(searchParam = ''): SQL | undefined {
  const digits = searchParam.replace(/\D/g, '')
  return or(
    containing(searchParam, contacts.name),
    digits ? tag`${contacts.number} like ${`%${digits}%`}` : undefined,
  )
}

async function count(tx: Tx, where: SQL | undefined) {
  const [row] = await tx.sql.select({ count: tag<number>`count(*)::int` }).from(contacts).where(where)
  return row?.count ?? 0
}
