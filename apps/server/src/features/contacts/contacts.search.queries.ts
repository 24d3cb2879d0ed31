import { type ContactQuery, NO_OWNER } from '@balcao/contract/contacts.ts'
import { COUNTED_AT_MOST, PAGE } from '@balcao/contract/kit.ts'
import { may, type Viewer } from '@balcao/contract/permissions.rules.ts'
import { LRUCache } from 'lru-cache'
import { keyedPage, type PageStart, pageKeysOf } from '../../platform/lists/page-keys.ts'
import { asRecords, asUnits, peopleIn, type SoughtPeople } from '../../platform/lists/sought.ts'
import { perProduct } from '../../platform/memory.ts'
import {
  and,
  eq,
  inArray,
  isNull,
  literalLimit,
  or,
  type SQL,
  sql as tag,
} from '../../platform/postgres/sql.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { inCategories } from './contacts.categories.queries.ts'
import { ownCustomers } from './contacts.owners.queries.ts'
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
  (query.searchParam ? scope.behind() : scope).list(async tx => {
    const { ids, hasMore, count } = await pageOf(tx, query)
    if (ids.length === 0) return { contacts: [], hasMore, count }
    const shown = and(eq(contacts.companyId, tx.companyId), inArray(contacts.id, ids))
    return { contacts: await selectContacts(tx.sql, shown), hasMore, count }
  })

/** Every word is searched in name, e-mail, username and number; a number, in any spelling, in the number. */
interface Wanted extends SoughtPeople {
  chosen: number[]
  /** One user, or none; undefined for all. */
  owner: number | null | undefined
  /** Only what this viewer sees, who sees only own customers. */
  limitedTo: number | null
}

const wantedBy = (
  { searchParam = '', selectedContactCategories: chosen = [], ownerId }: ContactQuery,
  viewer: Viewer | null,
): Wanted => ({
  ...peopleIn(searchParam),
  chosen,
  owner: ownerId === null || ownerId === undefined ? undefined : ownerId === NO_OWNER ? null : ownerId,
  limitedTo: viewer && !may(viewer, 'contacts:all') ? viewer.id : null,
})

interface Page {
  ids: number[]
  hasMore: boolean
  count: number
}

async function pageOf(tx: Tx, query: ContactQuery): Promise<Page> {
  const wanted = wantedBy(query, tx.viewer)
  if (wanted.limitedTo !== null || wanted.owner !== undefined) return ownedPage(tx, query, wanted)
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

/** The page among the customers of one user, of none, or those that the viewer sees: by their index, then by words. */
async function ownedPage(tx: Tx, query: ContactQuery, wanted: Wanted): Promise<Page> {
  const { limitedTo, owner, words, chosen } = wanted
  const matching = and(
    eq(contacts.companyId, tx.companyId),
    ownCustomers(tx),
    owner === undefined ? undefined : owner === null ? isNull(contacts.ownerId) : eq(contacts.ownerId, owner),
    words.length > 0 ? containing(wanted) : undefined,
    categorized(tx, chosen),
  )
  const list = `${tx.companyId} ${limitedTo} ${JSON.stringify({ ...query, pageNumber: 0 })}`
  const { rows, hasMore } = await keyedPage(keysOf(tx), list, query, {
    read: ({ after, offset, limit }: PageStart<Position>) =>
      tx.sql
        .select({ id: contacts.id, words: contacts.words })
        .from(contacts)
        .where(
          and(
            matching,
            after ? tag`(${contacts.words}, ${contacts.id}) > (${after.words}, ${after.id}::int)` : undefined,
          ),
        )
        .orderBy(contacts.words, contacts.id)
        .limit(limit)
        .offset(offset),
    keyOf: ({ words, id }) => ({ words, id }),
  })
  const some = tx.sql
    .select({ one: tag`1`.as('one') })
    .from(contacts)
    .where(matching)
    .limit(COUNTED_AT_MOST)
  const [row] = await tx.sql.select({ count: tag<number>`count(*)::int` }).from(some.as('some'))
  return { ids: rows.map(({ id }) => id), hasMore, count: row!.count }
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
