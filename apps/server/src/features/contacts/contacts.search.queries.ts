import type { ContactQuery } from '@balcao/contract/contacts.ts'
import { COUNTED_AT_MOST } from '@balcao/contract/kit.ts'
import { patternOf } from '../../platform/lists/lists.ts'
import { pageKeysOf } from '../../platform/lists/page-keys.ts'
import { and, eq, inArray, or, type SQL, sql as tag } from '../../platform/postgres/sql.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { inCategories } from './contacts.categories.queries.ts'
import { selectContacts } from './contacts.queries.ts'
import { contactCounts, contacts } from './contacts.table.ts'

/** The position of a row in the order of the list. */
interface Position {
  name: string
  id: number
}

/** Ends of pages already served: the next one starts there instead of skipping rows (keyset pagination). */
const keysOf = pageKeysOf<Position>()

/** Up to so many matches are read by id; commoner words match soon while rows are read by name. */
const MOST = 1_000

/**
 * One page of contacts by name. `count` is exact for all contacts; of those that match a search or a category, no more
 * than COUNTED_AT_MOST are counted.
 */
export const listContacts = (scope: Scope, query: ContactQuery, size: number) =>
  scope.list(async tx => {
    const { count, among } = await found(tx, wantedBy(query))
    const { ids, hasMore } = await pageOf(tx, query, among, size)
    const shown = and(eq(contacts.companyId, tx.companyId), inArray(contacts.id, ids))
    return { contacts: ids.length > 0 ? await selectContacts(tx.sql, shown) : [], hasMore, count }
  })

/** Text is searched in name, e-mail and username; a number, in any spelling such as (71) 9402, also in the number. */
interface Wanted {
  words: string
  number: string
  chosen: number[]
}

function wantedBy({ searchParam = '', selectedContactCategories: chosen = [] }: ContactQuery): Wanted {
  const digits = /^[\d\s().+-]+$/.test(searchParam) ? searchParam.replace(/\D/g, '') : ''
  return { words: patternOf(searchParam), number: digits && `%${digits}%`, chosen }
}

/** How many contacts match, and the condition that holds for them. */
async function found(tx: Tx, wanted: Wanted): Promise<{ count: number; among: SQL | undefined }> {
  const { words, number, chosen } = wanted
  if (!words && chosen.length === 0) return { count: await keptCount(tx), among: undefined }
  const [row] = await tx.sql
    .select({ ids: tag<string>`ids::text`, count: tag<number>`counted` })
    .from(tag`found_contacts(${words}, ${number}, ${`{${chosen}}`}::int[], ${MOST}, ${COUNTED_AT_MOST})`)
  const { ids, count } = row!
  const few = tag`${contacts.id} = any(${ids}::int[])`
  return { count, among: count <= MOST ? few : and(containing(wanted), categorized(tx, chosen)) }
}

const containing = ({ words, number }: Wanted) =>
  words
    ? or(
        tag`folded(${contacts.name}) like ${words}`,
        tag`lower(${contacts.email}) like ${words}`,
        usernameLike(words),
        number ? tag`${contacts.number} like ${number}` : undefined,
      )
    : undefined

/** With or without the sign that usernames begin with; the condition of their index is part of it. */
export const usernameLike = (pattern: string) =>
  tag`(${contacts.username} <> '' and ${contacts.username} like replace(${pattern}, '%@', '%'))`

async function pageOf(tx: Tx, query: ContactQuery, narrowed: SQL | undefined, size: number) {
  const { pageNumber: page = 1 } = query
  const keys = keysOf(tx)
  const list = `${tx.companyId} ${JSON.stringify({ ...query, pageNumber: 0 })}`
  const from = page > 1 ? keys.start(list, page) : undefined
  const found = await tx.sql
    .select({ id: contacts.id, name: inOrder.as('in_order') })
    .from(contacts)
    .where(and(eq(contacts.companyId, tx.companyId), narrowed, from && after(from)))
    .orderBy(inOrder, contacts.id)
    .limit(size + 1)
    .offset(from ? 0 : (page - 1) * size)
  const rows = found.slice(0, size)
  const last = rows.at(-1)
  if (from) keys.remember(list, page, from)
  if (last) keys.remember(list, page + 1, last)
  return { ids: rows.map(({ id }) => id), hasMore: found.length > size }
}

const inOrder = tag<string>`folded(${contacts.name})`
const after = ({ name, id }: Position) => tag`(${inOrder}, ${contacts.id}) > (${name}, ${id}::int)`

const categorized = (tx: Tx, chosen: number[] = []) =>
  chosen.length > 0 ? inArray(contacts.id, inCategories(tx, chosen)) : undefined

async function keptCount(tx: Tx) {
  const [row] = await tx.sql
    .select({ count: tag<number>`coalesce(sum(${contactCounts.contacts}), 0)::int` })
    .from(contactCounts)
    .where(eq(contactCounts.companyId, tx.companyId))
  return row?.count ?? 0
}
