import { phoneKey } from '@balcao/contract/contacts.rules.ts'
import type { Chat } from '../../driver.ts'
import { type ExternalId, externalIdOf } from '../../platform/external.ts'
import { given, insertingAll, statement } from '../../platform/postgres/prepared.ts'
import { and, eq, inArray, not, or, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import type { Traces } from './contacts.events.ts'
import { findContact } from './contacts.queries.ts'
import { contactExtraInfo, contactIdentifiers, contacts } from './contacts.table.ts'

export interface Identifier {
  kind: 'phone' | 'lid' | 'group' | 'cloud'
  value: ExternalId
}

/** The value of the identifier of a phone number: its canonical form. */
export const phoneId = (number: string): ExternalId => externalIdOf(phoneKey(number))

/** The identifiers of a chat: a phone number in its canonical form. */
export const identifiersOf = ({ parent, ...chat }: Chat): Identifier[] => [
  ...[chat, ...(chat.also ? [chat.also] : [])].map(({ kind, value }) => ({
    kind,
    value: kind === 'phone' ? phoneId(value) : externalIdOf(value),
  })),
  ...(parent ? [{ kind: 'cloud' as const, value: externalIdOf(parent) }] : []),
]

/** The contacts with any of the identifiers of each, oldest first. */
export const contactsBehindEach = statement(
  sql =>
    sql
      .select({ kind: contactIdentifiers.kind, value: contactIdentifiers.value, contact: contacts })
      .from(tag`unnest(${given('kinds')}::text[], ${given('values')}::text[]) as named (kind, value)`)
      .innerJoin(
        contactIdentifiers,
        and(
          eq(contactIdentifiers.companyId, given('companyId')),
          tag`${contactIdentifiers.kind} = named.kind and ${contactIdentifiers.value} = named.value`,
        ),
      )
      .innerJoin(
        contacts,
        and(
          eq(contacts.companyId, contactIdentifiers.companyId),
          eq(contacts.id, contactIdentifiers.contactId),
        ),
      ),
  (each: Identifier[][]) => ({
    kinds: each.flat().map(({ kind }) => kind),
    values: each.flat().map(({ value }) => value),
  }),
  (rows, each) => {
    const keyOf = ({ kind, value }: { kind: string; value: string }) => `${kind} ${value}`
    const found = new Map(rows.map(row => [keyOf(row), row.contact]))
    return each.map(identifiers => {
      const own = new Map(identifiers.flatMap(one => found.get(keyOf(one)) ?? []).map(one => [one.id, one]))
      return [...own.values()].sort((one, other) => one.id - other.id)
    })
  },
)

/** The contacts with any of these identifiers, oldest first. */
export const contactsBehind = async (tx: Tx, identifiers: Identifier[]) =>
  (await contactsBehindEach(tx, [identifiers]))[0]!

/** Other identifiers of a contact, for its export or deletion. A Brazilian mobile number is in use with and without the ninth digit. */
export async function tracesOf(tx: Tx, contactId: number): Promise<Traces> {
  const found = await tx.sql
    .select({ kind: contactIdentifiers.kind, value: contactIdentifiers.value })
    .from(contactIdentifiers)
    .where(and(eq(contactIdentifiers.companyId, tx.companyId), eq(contactIdentifiers.contactId, contactId)))
  const { number, lid } = await findContact(tx, contactId)
  const keys = found.flatMap(({ kind, value }) => (kind === 'phone' ? value : []))
  const written = keys.map(key => key.replace(/^(55\d\d)([6-9]\d{7})$/, '$19$2'))
  const all = [...found.map(({ value }) => value), ...written, number, lid]
  return { keys, addresses: [...new Set(all)].filter(value => value !== '') }
}

export const identifiersOfContact = (tx: Tx, contactId: number): Promise<Identifier[]> =>
  tx.sql
    .select({ kind: contactIdentifiers.kind, value: contactIdentifiers.value })
    .from(contactIdentifiers)
    .where(ofContact(tx, contactId))
    .orderBy(contactIdentifiers.kind, contactIdentifiers.value)

export const insertIdentifiers = (tx: Tx, identifiers: (Identifier & { contactId: number })[]) =>
  insertAll(
    tx.sql,
    identifiers.map(one => ({ ...one, companyId: tx.companyId })),
  )

const insertAll = insertingAll(contactIdentifiers)

/** The phone identifier of a contact becomes that of `number`; with `isCorrected` its LID and Cloud id are removed. */
export async function replacePhone(
  tx: Tx,
  contactId: number,
  previous: string,
  number: string,
  { isCorrected }: { isCorrected: boolean },
) {
  const { kind, value } = contactIdentifiers
  const phone = (digits: string) => and(eq(kind, 'phone'), eq(value, phoneId(digits)))
  const removed = isCorrected ? or(phone(previous), inArray(kind, ['lid', 'cloud'])) : phone(previous)
  await tx.sql.delete(contactIdentifiers).where(and(ofContact(tx, contactId), removed))
  const [other] = await tx.sql
    .select()
    .from(contactIdentifiers)
    .where(and(ofContact(tx, contactId), phone(number)))
  if (!other) await insertIdentifiers(tx, [{ contactId, kind: 'phone', value: phoneId(number) }])
}

/** Moves identifiers and extra fields of contacts that are about to be deleted to another. */
export async function moveRecords(tx: Tx, from: number[], contactId: number) {
  for (const table of [contactIdentifiers, contactExtraInfo])
    await tx.sql
      .update(table)
      .set({ contactId })
      .where(and(eq(table.companyId, tx.companyId), inArray(table.contactId, from)))
}

/** Moves all identifiers of a contact, or those given, to another. */
export const moveIdentifiers = (tx: Tx, from: number, into: number, those?: Identifier[]) =>
  tx.sql
    .update(contactIdentifiers)
    .set({ contactId: into })
    .where(and(ofContact(tx, from), those && oneOf(those)))

/** Deletes the identifiers of a contact but some; the next message from WhatsApp brings them again. */
export const forgetIdentifiers = (tx: Tx, contactId: number, but: Identifier[]) =>
  tx.sql.delete(contactIdentifiers).where(and(ofContact(tx, contactId), not(oneOf(but))))

/** The identifiers of a contact's own number, LID and Cloud id. */
export const addressesOf = ({ number, lid, cloudId }: Record<'number' | 'lid' | 'cloudId', string>) => {
  const all: Identifier[] = [
    { kind: 'phone', value: phoneId(number) },
    { kind: 'lid', value: externalIdOf(lid) },
    { kind: 'cloud', value: externalIdOf(cloudId) },
  ]
  return all.filter(({ value }) => value !== '')
}

const ofContact = (tx: Tx, contactId: number) =>
  and(eq(contactIdentifiers.companyId, tx.companyId), eq(contactIdentifiers.contactId, contactId))

const oneOf = (identifiers: Identifier[]) =>
  tag`(${contactIdentifiers.kind}, ${contactIdentifiers.value}) in (
    select kind, value from json_to_recordset(${JSON.stringify(identifiers)}) as those (kind text, value text))`
