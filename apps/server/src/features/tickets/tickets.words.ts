import { and, eq, or, type SQL, sql as tag } from 'drizzle-orm'
import type { Tx } from '../../platform/scope.ts'
import { contacts } from '../contacts/contacts.table.ts'
import { tickets } from './tickets.table.ts'

/** Up to so many finds by one road are read as a list; a commoner word is met soon enough on the way down. */
const MOST = 5_000

export interface Sought {
  /** The tickets meant, as a condition on `tickets`. */
  means: SQL
  /** Some of them, or all when `complete`. */
  some: SQL
  complete: boolean
}

/** What a search means: the contact's name or number, the protocol, or words of any message. */
export async function seek(tx: Tx, searchParam: string): Promise<Sought> {
  const digits = searchParam.replace(/\D/g, '')
  const name = containing(searchParam.toLowerCase())
  const number = digits.length >= 3 ? containing(digits) : null
  const { rows } = (await tx.sql.execute(
    tag`select ids::text as ids, complete from found_tickets(${searchParam}, ${name}, ${number}, ${MOST})`,
  )) as unknown as { rows: { ids: string; complete: boolean }[] }
  const { ids, complete } = rows[0]!
  const some = tag`${tickets.id} in (select unnest(${ids}::int[]))`
  return { some, complete, means: complete ? some : matching(tx, searchParam, name, number) }
}

/** Asked ticket by ticket, newest first, until a page is full. */
function matching(tx: Tx, words: string, name: string, number: string | null): SQL {
  const people = tx.sql
    .select({ id: contacts.id })
    .from(contacts)
    .where(
      and(
        eq(contacts.companyId, tx.companyId),
        or(
          tag`lower(${contacts.name}) like ${name}`,
          number === null ? undefined : tag`${contacts.number} like ${number}`,
        ),
      ),
    )
  // a scalar question, not `exists`: the planner would answer that for all messages at once
  const said = tag`(select true from messages m where m.company_id = ${tickets.companyId} and m.ticket_id = ${tickets.id}
    and to_tsvector('simple', m.body) @@ plainto_tsquery('simple', ${words}) limit 1)`
  return tag`(${tickets.contactId} in ${people} or ${tickets.protocol} = ${words} or ${said})`
}

const containing = (text: string) => `%${text.replace(/[\\%_]/g, found => `\\${found}`)}%`
