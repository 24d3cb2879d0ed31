import type { MergePreview, MergeSuggestion } from '@balcao/contract/contactMerges.ts'
import { and, eq, inArray, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { findContact, selectContacts } from '../contacts/contacts.queries.ts'
import { contacts } from '../contacts/contacts.table.ts'

const MOST = 50

/**
 * Pairs of possible duplicates, the older contact first: the same number with and without its country, or the same e-mail.
 * Pairs that were marked as different people are left out.
 */
export async function suggestMerges(tx: Tx): Promise<MergeSuggestion[]> {
  const pairs = await selectPairs(tx)
  const ids = pairs.flatMap(({ one, other }) => [one, other])
  if (ids.length === 0) return []
  const found = and(eq(contacts.companyId, tx.companyId), inArray(contacts.id, ids))
  const known = new Map((await selectContacts(tx.sql, found)).map(contact => [contact.id, contact]))
  return pairs.map(({ why, one, other }) => ({ why, into: known.get(one)!, from: known.get(other)! }))
}

interface Pairing {
  why: MergeSuggestion['why']
  one: number
  other: number
}

const alike = (why: MergeSuggestion['why'], key: string, kept: string) =>
  tag`select ${why}::text as why, first_value(id) over same as one, id as other
    from contacts where company_id = current_setting('app.company_id')::int and ${tag.raw(kept)}
    window same as (partition by ${tag.raw(key)} order by id)`

async function selectPairs(tx: Tx): Promise<Pairing[]> {
  const { rows } = (await tx.sql.execute(tag`
    select why, one, other from (
      ${alike('number', 'loose_phone_key(number)', "number <> '' and not is_group")}
      union all ${alike('email', 'lower(email)', "email <> '' and not is_group")}) pairs
    where one <> other and not exists (select from contacts_apart a
      where a.company_id = ${tx.companyId} and a.one_id = one and a.other_id = other)
    order by why desc, one, other limit ${MOST}`)) as { rows: Pairing[] }
  return rows
}

/** What a merge would move. Refuses with ERR_NO_CONTACT_FOUND. */
export async function previewMerge(
  tx: Tx,
  { into, from }: { into: number; from: number },
): Promise<MergePreview> {
  const [stays, goes] = [await findContact(tx, into), await findContact(tx, from)]
  const { rows } = (await tx.sql.execute(tag`
    select (select count(*)::int from messages where company_id = ${tx.companyId} and contact_id = ${from}) as messages,
      (select count(*)::int from messages where company_id = ${tx.companyId} and contact_id = ${from}
        and media_url is not null) as files`)) as { rows: { messages: number; files: number }[] }
  return {
    into: stays,
    from: goes,
    tickets: goes.ticketsCount,
    ...rows[0]!,
    ends: await endsOf(tx, into, from),
  }
}

/** The same choice as `joinLiving` in tickets/moves/merges.actions.ts. */
async function endsOf(tx: Tx, into: number, from: number): Promise<MergePreview['ends']> {
  const { rows } = (await tx.sql.execute(tag`
    select case when attended then f.protocol else i.protocol end as "goesOn",
      case when attended then i.protocol else f.protocol end as "closes"
    from tickets f join tickets i on i.company_id = f.company_id and i.whatsapp_id = f.whatsapp_id
      and i.contact_id = ${into} and i.status <> 'closed' and not i.parallel,
      lateral (select f.status = 'open' and i.status = 'pending' as attended) those
    where f.company_id = ${tx.companyId} and f.contact_id = ${from} and f.status <> 'closed' and not f.parallel
    order by f.id`)) as { rows: MergePreview['ends'] }
  return rows
}
