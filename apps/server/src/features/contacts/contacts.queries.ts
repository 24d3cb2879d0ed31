import { phoneKey } from '@balcao/contract/contacts.rules.ts'
import { type Contact, MAX_TICKETS_NAMED } from '@balcao/contract/contacts.ts'
import type { Chat } from '../../driver.ts'
import { given, preparedFor } from '../../platform/db.prepared.ts'
import type { Sql } from '../../platform/db.ts'
import { refuse } from '../../platform/errors.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, eq, inArray, or, type SQL, sql as tag } from '../../platform/sql.ts'
import { contactIdentifiers, contacts } from './contacts.table.ts'

/** Contacts with their extra fields, categories and tickets, by name; one statement however many. */
export async function selectContacts(sql: Sql, where: SQL | undefined): Promise<Contact[]> {
  const rows = await sql
    .select({ contact: contacts, extraInfo, categoryContacts, tickets: newestTickets, ticketsCount })
    .from(contacts)
    .where(where)
    .orderBy(tag`lower(${contacts.name})`, contacts.id)
  return rows.map(({ contact, ...rest }) => ({
    ...contact,
    ...rest,
    categoriesContactsAssociates: rest.categoryContacts,
  }))
}

// In a statement over one table a column is written without its table, and inside these would be one of theirs.
const extraInfo = tag<Contact['extraInfo']>`(
  select coalesce(json_agg(json_build_object('id', e.id, 'name', e.name, 'value', e.value) order by e.id), '[]')
  from contact_extra_info e where e.company_id = ${contacts}.company_id and e.contact_id = ${contacts}.id)`

const categoryContacts = tag<Contact['categoryContacts']>`(
  select coalesce(json_agg(json_build_object('id', k.id, 'name', k.name, 'color', k.color) order by lower(k.name)), '[]')
  from contact_categories c join categories k on k.company_id = c.company_id and k.id = c.category_id
  where c.company_id = ${contacts}.company_id and c.contact_id = ${contacts}.id)`

const newestTickets = tag<Contact['tickets']>`(
  select coalesce(json_agg(json_build_object('id', t.id) order by t.id desc), '[]')
  from (select id from tickets where company_id = ${contacts}.company_id and contact_id = ${contacts}.id
    order by id desc limit ${tag.raw(String(MAX_TICKETS_NAMED))}) t)`

const ticketsCount = tag<number>`(
  select count(*)::int from tickets t where t.company_id = ${contacts}.company_id and t.contact_id = ${contacts}.id)`

/** Refuses with ERR_NO_CONTACT_FOUND. */
export async function findContact(tx: Tx, contactId: number): Promise<Contact> {
  const [contact] = await selectContacts(
    tx.sql,
    and(eq(contacts.companyId, tx.companyId), eq(contacts.id, contactId)),
  )
  return contact ?? refuse('ERR_NO_CONTACT_FOUND')
}

export interface Identifier {
  kind: 'phone' | 'lid' | 'group' | 'cloud'
  value: string
}

/** The keys a chat is matched by: a phone by its canonical form. */
export const identifiersOf = (chat: Chat): Identifier[] =>
  [chat, ...(chat.also ? [chat.also] : [])].map(({ kind, value }) => ({
    kind,
    value: kind === 'phone' ? phoneKey(value) : value,
  }))

/** Contacts behind any of these identifiers, oldest first. */
export async function contactsBehind(tx: Tx, identifiers: Identifier[]) {
  const values = identifiers.flatMap(({ kind, value }, at) => [
    [`kind${at}`, kind],
    [`value${at}`, value],
  ])
  const rows = await behind(tx.sql, identifiers.length, {
    companyId: tx.companyId,
    ...Object.fromEntries(values),
  })
  return rows.map(row => row.contact)
}

const behind = preparedFor((sql, identifiers: number) =>
  sql
    .selectDistinct({ contact: contacts })
    .from(contactIdentifiers)
    .innerJoin(
      contacts,
      and(
        eq(contacts.companyId, contactIdentifiers.companyId),
        eq(contacts.id, contactIdentifiers.contactId),
      ),
    )
    .where(
      and(
        eq(contactIdentifiers.companyId, given('companyId')),
        or(
          ...Array.from({ length: identifiers }, (_, at) =>
            and(
              eq(contactIdentifiers.kind, given(`kind${at}`)),
              eq(contactIdentifiers.value, given(`value${at}`)),
            ),
          ),
        ),
      ),
    )
    .orderBy(contacts.id),
)

/** Names and numbers of contacts by id; a group has no number, and somebody known by a LID alone neither. */
export async function numbersOf(tx: Tx, contactIds: number[]) {
  const rows = await tx.sql
    .select({ id: contacts.id, name: contacts.name, number: contacts.number, isGroup: contacts.isGroup })
    .from(contacts)
    .where(and(eq(contacts.companyId, tx.companyId), inArray(contacts.id, contactIds)))
  return new Map(rows.map(({ id, name, number, isGroup }) => [id, { name, number: isGroup ? '' : number }]))
}

/** How to address a contact: by LID where one is known, else by number (reference: WhatsApp refuses the number then). */
export async function findChat(tx: Tx, contactId: number): Promise<Chat | null> {
  const [contact] = await tx.sql
    .select({
      number: contacts.number,
      lid: contacts.lid,
      cloudId: contacts.cloudId,
      isGroup: contacts.isGroup,
    })
    .from(contacts)
    .where(and(eq(contacts.companyId, tx.companyId), inArray(contacts.id, [contactId])))
  return contact ? chatOfContact(contact) : null
}

type Address = Pick<typeof contacts.$inferSelect, 'number' | 'lid' | 'cloudId' | 'isGroup'>

export function chatOfContact({ number, lid, cloudId, isGroup }: Address): Chat | null {
  if (isGroup) return { kind: 'group', value: number }
  if (lid) return { kind: 'lid', value: lid, ...(number && { also: { kind: 'phone', value: number } }) }
  if (number) return { kind: 'phone', value: number }
  return cloudId ? { kind: 'cloud', value: cloudId } : null
}
