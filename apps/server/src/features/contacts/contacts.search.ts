import type { ContactQuery } from '@balcao/contract/contacts.ts'
import { COUNTED_AT_MOST } from '@balcao/contract/kit.ts'
import { patternOf } from '../../platform/lists.ts'
import { pageKeys } from '../../platform/pages.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { and, eq, inArray, or, type SQL, sql as tag } from '../../platform/sql.ts'
import { inCategories } from './contacts.categories.ts'
import { selectContacts } from './contacts.queries.ts'
import { contactCounts, contacts } from './contacts.table.ts'

/** Where a row stands in the order of the list. */
interface Place {
  name: string
  id: number
}

/** Where pages already served ended: the next one starts there instead of skipping rows. */
const keys = pageKeys<Place>()

/** Up to so many finds are read as a list; commoner words are met soon enough on the way down the names. */
const MOST = 1_000

/**
 * One page of contacts by name. `count` is exact for all contacts; of those that match a search or a category, no more
 * than COUNTED_AT_MOST are counted.
 */
export const listContacts = (scope: Scope, asked: ContactQuery, size: number) =>
  scope.list(async tx => {
    const { count, among } = await found(tx, wantedBy(asked))
    const { ids, hasMore } = await pageOf(tx, asked, among, size)
    const shown = and(eq(contacts.companyId, tx.companyId), inArray(contacts.id, ids))
    return { contacts: ids.length > 0 ? await selectContacts(tx.sql, shown) : [], hasMore, count }
  })

/** Words are looked for in name and e-mail; what is written as a number, in the number however it was written: (71) 9402. */
interface Wanted {
  words: string
  number: string
  chosen: number[]
}

function wantedBy({ searchParam = '', selectedContactCategories: chosen = [] }: ContactQuery): Wanted {
  const digits = /^[\d\s().+-]+$/.test(searchParam) ? searchParam.replace(/\D/g, '') : ''
  return { words: patternOf(searchParam), number: digits && `%${digits}%`, chosen }
}

/** How many are wanted, and the condition that holds for them. */
async function found(tx: Tx, wanted: Wanted): Promise<{ count: number; among: SQL | undefined }> {
  const { words, number, chosen } = wanted
  if (!words && chosen.length === 0) return { count: await keptCount(tx), among: undefined }
  const [row] = await tx.sql
    .select({ ids: tag<string>`ids::text`, count: tag<number>`counted` })
    .from(tag`found_contacts(${words}, ${number}, ${`{${chosen}}`}::int[], ${MOST}, ${COUNTED_AT_MOST})`)
  const { ids, count } = row!
  const few = tag`${contacts.id} = any(${ids}::int[])`
  return { count, among: count <= MOST ? few : and(saying(wanted), categorized(tx, chosen)) }
}

const saying = ({ words, number }: Wanted) =>
  words
    ? or(
        tag`lower(${contacts.name}) like ${words}`,
        tag`lower(${contacts.email}) like ${words}`,
        number ? tag`${contacts.number} like ${number}` : undefined,
      )
    : undefined

/** Only the order is asked of the list; what belongs to the contacts is asked of those that are shown. */
async function pageOf(tx: Tx, asked: ContactQuery, narrowed: SQL | undefined, size: number) {
  const { pageNumber: page = 1 } = asked
  const list = `${tx.companyId} ${JSON.stringify({ ...asked, pageNumber: 0 })}`
  const from = page > 1 ? keys.start(list, page) : undefined
  const found = await tx.sql
    .select({ id: contacts.id, name: inOrder.as('in_order') })
    .from(contacts)
    .where(and(eq(contacts.companyId, tx.companyId), narrowed, from && behind(from)))
    .orderBy(inOrder, contacts.id)
    .limit(size + 1)
    .offset(from ? 0 : (page - 1) * size)
  const rows = found.slice(0, size)
  const last = rows.at(-1)
  if (from) keys.remember(list, page, from)
  if (last) keys.remember(list, page + 1, last)
  return { ids: rows.map(({ id }) => id), hasMore: found.length > size }
}

const inOrder = tag<string>`lower(${contacts.name})`
const behind = ({ name, id }: Place) => tag`(${inOrder}, ${contacts.id}) > (${name}, ${id}::int)`

const categorized = (tx: Tx, chosen: number[] = []) =>
  chosen.length > 0 ? inArray(contacts.id, inCategories(tx, chosen)) : undefined

async function keptCount(tx: Tx) {
  const [row] = await tx.sql
    .select({ count: tag<number>`coalesce(sum(${contactCounts.contacts}), 0)::int` })
    .from(contactCounts)
    .where(eq(contactCounts.companyId, tx.companyId))
  return row?.count ?? 0
}
