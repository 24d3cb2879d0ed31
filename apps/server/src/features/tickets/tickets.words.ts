import { may } from '@balcao/contract/permissions.rules.ts'
import type { TicketHit } from '@balcao/contract/tickets.ts'
import { keeping } from '../../platform/kept.ts'
import { type Tx, viewerOf } from '../../platform/scope.ts'
import { and, eq, ne, or, rowsFrom, type SQL, sql as tag } from '../../platform/sql.ts'
import { contacts } from '../contacts/contacts.table.ts'
import { tickets } from './tickets.table.ts'

/** Up to so many finds are read as a list; a commoner word is met soon enough on the way down, newest first. */
const MOST = 1_000
const MOST_MESSAGES = 2_500
/** What stands often in the same tickets is read further, until the count of those that one may see is known, too. */
const ENOUGH_TICKETS = 2_000
const MANY_MESSAGES = 5_000

/** How long a word that many tickets hold is taken to be common: what it means is asked anew each time. */
const COMMON_MS = 60_000
const COMMON_KEPT = 200

export interface Sought {
  /** The tickets meant, as a condition on `tickets`. */
  means: SQL
  /** Some of them, or all when `complete`. */
  some: SQL
  complete: boolean
  /** Lists in which so many were found already that nobody counts them again. */
  many: Set<string>
}

const common = keeping<string, Sought>({ max: COMMON_KEPT, ttl: COMMON_MS })

/** What a search means: the contact's name or number, the protocol, or words of any message that may be read. */
export async function seek(tx: Tx, searchParam: string): Promise<Sought> {
  const pending = may(viewerOf(tx), 'tickets:viewPending')
  const key = `${tx.companyId} ${pending} ${searchParam}`
  const known = common.get(key)
  if (known) return known
  const sought = await look(tx, searchParam, pending ? undefined : ne(tickets.status, 'pending'))
  if (sought.complete) common.delete(key)
  else common.set(key, sought)
  return sought
}

/** Of each of the tickets the newest message that holds the words; those that may not be read are left out. */
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
  said: string
  said_in: number
  all_contacts: boolean
  all_theirs: boolean
  all_said: boolean
}

async function look(tx: Tx, words: string, readable: SQL | undefined): Promise<Sought> {
  const digits = words.replace(/\D/g, '')
  const name = containing(words.toLowerCase())
  const number = digits.length >= 3 ? containing(digits) : null
  const find = async (messages: number) => {
    const rows = await rowsFrom<Found>(
      tx.sql,
      tag`select contacts::text, their_tickets::text as theirs, said_in::text as said, cardinality(said_in) as said_in,
        all_contacts, all_theirs, all_said from found_tickets(${words}, ${name}, ${number}, ${MOST}, ${messages})`,
    )
    return rows[0]!
  }
  const some = await find(MOST_MESSAGES)
  const found = some.all_said || some.said_in > ENOUGH_TICKETS ? some : await find(MANY_MESSAGES)
  const said = and(among(tickets.id, found.said), readable)
  const known = readable
    ? tag`(${among(tickets.id, found.theirs)} or ${said})`
    : tag`${tickets.id} = any(${found.theirs}::int[] || ${found.said}::int[])`
  if (found.all_theirs && found.all_said)
    return { means: known, some: known, complete: true, many: new Set() }
  const people = found.all_contacts
    ? among(tickets.contactId, found.contacts)
    : tag`${tickets.contactId} in ${peopleLike(tx, name, number)}`
  const means = tag`(${people} or ${tickets.protocol} = ${words} or ${found.all_said ? said : and(saying(words), readable)})`
  return { means, some: known, complete: false, many: new Set() }
}

const among = (column: typeof tickets.id | typeof tickets.contactId, ids: string) =>
  tag`${column} in (select unnest(${ids}::int[]))`

const peopleLike = (tx: Tx, name: string, number: string | null) =>
  tx.sql
    .select({ id: contacts.id })
    .from(contacts)
    .where(
      and(
        eq(contacts.companyId, tx.companyId),
        or(
          tag`lower(${contacts.name}) like ${name}`,
          number ? tag`${contacts.number} like ${number}` : undefined,
        ),
      ),
    )

/**
 * A scalar question about one ticket, not `exists`: the planner would answer that for all messages at once. Only what
 * contains the longest of the words is taken apart, which costs twenty times as much (as in hits_in_tickets).
 */
const saying = (words: string) =>
  tag`(select true from messages m where m.company_id = ${tickets.companyId} and m.ticket_id = ${tickets.id}
    and strpos(lower(m.body), (select lexeme from unnest(to_tsvector('simple', ${words})) order by length(lexeme) desc limit 1)) > 0
    and to_tsvector('simple', m.body) @@ plainto_tsquery('simple', ${words}) limit 1)`

const containing = (text: string) => `%${text.replace(/[\\%_]/g, found => `\\${found}`)}%`
