import type { ContactQuery } from '@balcao/contract/contacts.ts'
import { COUNTED_AT_MOST, PAGE } from '@balcao/contract/kit.ts'
import { LRUCache } from 'lru-cache'
import { keyedPage, type PageStart, pageKeysOf } from '../../platform/lists/page-keys.ts'
import { asRecords, asUnits, peopleIn, type SoughtPeople } from '../../platform/lists/sought.ts'
import { perProduct } from '../../platform/memory.ts'
import { and, eq, inArray, literalLimit, or, type SQL, sql as tag } from '../../platform/postgres/sql.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { inCategories } from './contacts.categories.queries.ts'
import { selectContacts } from './contacts.queries.ts'
import { contactCounts, contacts } from './contacts.table.ts'

/** The position of a row in the order of the list. */
interface Position {
  words: string
  id: number
}

const keysOf = pageKeysOf<Position>()

/** Searches that found more than COUNTED_AT_MOST lately: they are not counted again. */
const commonOf = perProduct(() => new LRUCache<string, true>({ max: 1_000, ttl: 60_000 }))

/**
 * One page of contacts by name. `count` is exact for all contacts; of those that match a search or a category, no more
 * than COUNTED_AT_MOST are counted.
 */
export const listContacts = (scope: Scope, query: ContactQuery) =>
  scope.list(async tx => {
    const { ids, hasMore, count } = await pageOf(tx, query)
    if (ids.length === 0) return { contacts: [], hasMore, count }
    const shown = and(eq(contacts.companyId, tx.companyId), inArray(contacts.id, ids))
    return { contacts: await selectContacts(tx.sql, shown), hasMore, count }
  })

/** Every word is searched in name, e-mail, username and number; a number, in any spelling, in the number. */
interface Wanted extends SoughtPeople {
  chosen: number[]
}

const wantedBy = ({ searchParam = '', selectedContactCategories: chosen = [] }: ContactQuery): Wanted => ({
  ...peopleIn(searchParam),
  chosen,
})

interface Page {
  ids: number[]
  hasMore: boolean
  count: number
}

async function pageOf(tx: Tx, query: ContactQuery): Promise<Page> {
  const wanted = wantedBy(query)
  if (wanted.words.length === 0 && wanted.chosen.length === 0)
    return { ...(await walked(tx, query, wanted)), count: await keptCount(tx) }
  const common = commonOf(tx)
  const search = `${tx.companyId} ${JSON.stringify(wanted)}`
  if (!common.has(search)) {
    const page = await foundPage(tx, query, wanted)
    if (page.count <= COUNTED_AT_MOST) return page
    common.set(search, true)
  }
  return { ...(await walked(tx, query, wanted)), count: COUNTED_AT_MOST }
}

/** The page among all that match, found by their letters; of more than COUNTED_AT_MOST only that there are more. */
async function foundPage(tx: Tx, { pageNumber = 1 }: ContactQuery, { words, numbers, chosen }: Wanted) {
  const [row] = await tx.sql.select({ found: tag<number[]>`ids`, count: tag<number>`counted` }).from(
    tag`found_contacts(${asRecords(words)}, ${asUnits(numbers)}, ${`{${chosen}}`}::int[], ${(pageNumber - 1) * PAGE}::int, ${PAGE + 1}::int,
        ${COUNTED_AT_MOST}::int)`,
  )
  const { found, count } = row!
  return { ids: found.slice(0, PAGE), hasMore: found.length > PAGE, count }
}

/** The page as the list is read in its order, row by row: of all contacts, or where many match. */
async function walked(tx: Tx, query: ContactQuery, wanted: Wanted) {
  const list = `${tx.companyId} ${JSON.stringify({ ...query, pageNumber: 0 })}`
  const { rows, hasMore } = await keyedPage(keysOf(tx), list, query, {
    read: start => walk(tx, start, and(containing(wanted), categorized(tx, wanted.chosen))),
    keyOf: ({ words, id }) => ({ words, id }),
  })
  return { ids: rows.map(({ id }) => id), hasMore }
}

/**
 * \`offset 0\` keeps the conditions outside: the planner, which expects few rows to match, would otherwise read all rows and
 * sort those that do.
 */
function walk(tx: Tx, { after, offset, limit }: PageStart<Position>, matching: SQL | undefined) {
  const { companyId, id, words, name, email, number, username } = contacts
  const inOrder = tx.sql
    .select({ id, words, name, email, number, username })
    .from(contacts)
    .where(
      and(
        eq(companyId, tx.companyId),
        after ? tag`(${words}, ${id}) > (${after.words}, ${after.id}::int)` : undefined,
      ),
    )
    .orderBy(words, id)
    .offset(literalLimit(0))
    .as('contacts')
  return tx.sql
    .select({ id: inOrder.id, words: inOrder.words })
    .from(inOrder)
    .where(matching)
    .limit(limit)
    .offset(offset)
}

const containing = (wanted: Wanted) =>
  or(
    personLike(wanted),
    ...wanted.words.flatMap(([one, ...more]) =>
      more.length > 0 ? [] : tag`lower(${contacts.email}) like ${one}`,
    ),
  )

/** By name, username and number; also in rows of an earlier version whose words are not folded yet. */
export function personLike({ words, numbers }: SoughtPeople) {
  const { name, username, number } = contacts
  const later = tag`(folded(${name}) || E'\n@' || ${username} || E'\n' || ${number})`
  return or(
    ...[...words, ...numbers.map(one => [one])].flatMap(all => [
      and(...all.map(like => tag`${contacts.words} like ${like}`)),
      and(tag`${contacts.words} = ''`, ...all.map(like => tag`${later} like ${like}`)),
    ]),
  )
}

const categorized = (tx: Tx, chosen: number[]) =>
  chosen.length > 0 ? inArray(contacts.id, inCategories(tx, chosen)) : undefined

async function keptCount(tx: Tx) {
  const [row] = await tx.sql
    .select({ count: tag<number>`coalesce(sum(${contactCounts.contacts}), 0)::int` })
    .from(contactCounts)
    .where(eq(contactCounts.companyId, tx.companyId))
  return row?.count ?? 0
}
