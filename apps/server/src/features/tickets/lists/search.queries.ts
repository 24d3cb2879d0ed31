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
/** Messages of more tickets than this are read newest first as well: so many ids cost each list more than the walk. */
const MOST_TICKETS = 2_000

const COMMON_MS = 60_000
const COMMON_KEPT = 200

export interface Sought {
  means: SQL
  some: SQL
  complete: boolean
  many: Set<string>
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
export async function hitsIn(tx: Tx, words: string, ticketIds: number[]): Promise<TicketHit[]> {
  if (ticketIds.length === 0) return []
  const pending = may(viewerOf(tx), 'tickets:viewPending')
  const rows = await rowsFrom<TicketHit>(
    tx.sql,
    tag`select ticket_id as "ticketId", message_id as "messageId", body
      from hits_in_tickets(${words}, ${`{${ticketIds}}`}::int[], ${pending})`,
  )
  return rows
}

interface Found {
  contacts: string
  theirs: string
  matched: string
  matched_tickets: number
  all_contacts: boolean
  all_theirs: boolean
  all_matched: boolean
}

async function look(tx: Tx, words: string, readable: SQL | undefined): Promise<Sought> {
  const people = peopleIn(words)
  const [row] = await rowsFrom<Found>(
    tx.sql,
    tag`select contacts::text, their_tickets::text as theirs, said_in::text as matched,
      cardinality(said_in) as matched_tickets, all_contacts, all_theirs, all_said as all_matched from found_tickets(${words}, ${asRecords(people.words)}, ${asUnits(people.numbers)}, ${MOST}, ${MOST_MESSAGES})`,
  )
  const found = row!
  const allMatched = found.all_matched && found.matched_tickets <= MOST_TICKETS
  const matched = and(among(tickets.id, found.matched), readable)
  const known = readable
    ? tag`(${among(tickets.id, found.theirs)} or ${matched})`
    : tag`${tickets.id} = any(${found.theirs}::int[] || ${found.matched}::int[])`
  if (found.all_theirs && allMatched) return { means: known, some: known, complete: true, many: new Set() }
  const contact = found.all_contacts
    ? among(tickets.contactId, found.contacts)
    : tag`${tickets.contactId} in ${contactsLike(tx, people)}`
  const means = tag`(${contact} or ${tickets.protocol} = ${words} or ${allMatched ? matched : and(hasWords(folded(words)), readable)})`
  return { means, some: known, complete: false, many: new Set() }
}

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
