import { may } from '@balcao/contract/permissions.rules.ts'
import type { TicketHit } from '@balcao/contract/tickets.ts'
import { folded } from '@balcao/contract/words.rules.ts'
import { LRUCache } from 'lru-cache'
import { asRecords, asUnits, peopleIn, type SoughtPeople } from '../../../platform/lists/sought.ts'
import { perProduct } from '../../../platform/memory.ts'
import { and, eq, ne, rowsFrom, type SQL, sql as tag } from '../../../platform/postgres/sql.ts'
import { type Tx, viewerOf } from '../../../platform/scope.ts'
import { personLike } from '../../contacts/contacts.search.queries.ts'
import { contacts } from '../../contacts/contacts.table.ts'
import { tickets } from '../tickets.table.ts'

/** Most tickets and messages found at once; a commoner word matches soon while rows are read newest first. */
const MOST = 1_000
const MOST_MESSAGES = 5_000
/** What was found in more tickets than this is remembered: it costs more to find than to read what came since. */
const MOST_TICKETS = 2_000

const COMMON_MS = 60_000
const COMMON_KEPT = 200
/** A transaction that was open while words were looked for may end this much later. */
const OVERLAP = tag`interval '10 seconds'`

export interface Sought {
  means: SQL
  some: SQL
  complete: boolean
  /** Nothing matches. */
  none: boolean
  many: Set<string>
  /** The position of the newest matching message by ticket; null where tickets are read for it. */
  at: Map<number, string> | null
}

const commonOf = perProduct(() => new LRUCache<string, Sought>({ max: COMMON_KEPT, ttl: COMMON_MS }))

/** The tickets of a search: by name or number of the contact, by protocol, or by the text of a readable message. */
export async function seek(tx: Tx, searchParam: string): Promise<Sought> {
  const common = commonOf(tx)
  const pending = may(viewerOf(tx), 'tickets:viewPending')
  const key = `${tx.companyId} ${pending} ${searchParam}`
  const known = common.get(key)
  if (known) return known
  const sought = await look(tx, searchParam, pending ? undefined : ne(tickets.status, 'pending'))
  if (sought.complete) common.delete(key)
  else common.set(key, sought)
  return sought
}

/** The newest matching message of each ticket; tickets that may not be read are left out. */
export async function hitsIn(
  tx: Tx,
  words: string,
  { at }: Sought,
  ticketIds: number[],
): Promise<TicketHit[]> {
  const ids = at ? ticketIds.filter(id => at.has(id)) : ticketIds
  if (ids.length === 0) return []
  const pending = may(viewerOf(tx), 'tickets:viewPending')
  const hits = at
    ? tag`hits_at(${words}, ${arrayOf(ids)}::int[], ${arrayOf(ids.map(id => at.get(id)!))}::bigint[], ${pending})`
    : tag`hits_in_tickets(${words}, ${arrayOf(ids)}::int[], ${pending})`
  return rowsFrom<TicketHit>(
    tx.sql,
    tag`select ticket_id as "ticketId", message_id as "messageId", body, (select m.is_private from messages m
        where m.company_id = ${tx.companyId} and m.id = message_id) as "isNote"
      from ${hits}`,
  )
}

const arrayOf = (values: (number | string)[]) => `{${values}}`

interface Found {
  contacts: string
  theirs: string
  matched: string
  positions: string
  matched_tickets: number
  all_contacts: boolean
  all_theirs: boolean
  all_matched: boolean
  since: string
}

async function look(tx: Tx, words: string, readable: SQL | undefined): Promise<Sought> {
  const people = peopleIn(words)
  const [row] = await rowsFrom<Found>(
    tx.sql,
    tag`select contacts::text, their_tickets::text as theirs, said_in::text as matched, said_at::text as positions,
      cardinality(said_in) as matched_tickets, all_contacts, all_theirs, all_said as all_matched,
      (now() - ${OVERLAP})::text as since
      from found_tickets(${words}, ${asRecords(people.words)}, ${asUnits(people.numbers)}, ${MOST}, ${MOST_MESSAGES})`,
  )
  const found = row!
  const matched = and(among(tickets.id, found.matched), readable)
  const known = readable
    ? tag`(${among(tickets.id, found.theirs)} or ${matched})`
    : tag`${tickets.id} = any(${found.theirs}::int[] || ${found.matched}::int[])`
  const isFew = found.matched_tickets <= MOST_TICKETS
  const at = found.all_matched && isFew ? positionsOf(found) : null
  const none = found.theirs === '{}' && found.matched === '{}'
  // of more contacts than were found others may have tickets
  if (found.all_contacts && found.all_theirs && at)
    return { means: known, some: known, complete: true, none, many: new Set(), at }
  const contact = found.all_contacts
    ? among(tickets.contactId, found.contacts)
    : tag`${tickets.contactId} in ${contactsLike(tx, people)}`
  const inBody = hasWords(folded(words))
  const since = tag`(${tickets.updatedAt} > ${found.since}::timestamptz and ${inBody})`
  const read = found.all_matched ? tag`(${among(tickets.id, found.matched)} or ${since})` : inBody
  const means = tag`(${contact} or ${tickets.protocol} = ${words} or ${and(read, readable)})`
  return { means, some: known, complete: false, none: false, many: new Set(), at: null }
}

function positionsOf({ matched, positions }: Found): Map<number, string> {
  const at = valuesOf(positions)
  return new Map(valuesOf(matched).map((id, place) => [Number(id), at[place]!]))
}

const valuesOf = (array: string) => array.slice(1, -1).split(',')

/** A subquery, which is hashed once: an array is read again for each row. */
const among = (column: typeof tickets.id | typeof tickets.contactId, ids: string) =>
  tag`${column} in (select unnest(${ids}::int[]))`

const contactsLike = (tx: Tx, people: SoughtPeople) =>
  tx.sql
    .select({ id: contacts.id })
    .from(contacts)
    .where(and(eq(contacts.companyId, tx.companyId), personLike(people)))

/**
 * A scalar subquery, not `exists`, which the planner would evaluate for all messages at once. `to_tsvector` costs twenty
 * times as much as `~`, so only messages that contain about the longest word are parsed (as in hits_in_tickets).
 */
const hasWords = (words: string) =>
  tag`(select true from messages m where m.company_id = ${tickets.companyId} and m.ticket_id = ${tickets.id} and not m.is_deleted
    and m.body ~ (select folded_pattern(lexeme) from unnest(to_tsvector('simple', ${words})) order by length(lexeme) desc limit 1)
    and to_tsvector('simple', folded(m.body)) @@ plainto_tsquery('simple', ${words}) limit 1)`
