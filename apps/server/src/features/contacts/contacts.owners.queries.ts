import type { Contact } from '@balcao/contract/contacts.ts'
import { may } from '@balcao/contract/permissions.rules.ts'
import { refuse } from '../../platform/errors.ts'
import { and, eq, inArray, isNotNull, type SQL, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { counted, NAMED, ofAll } from '../users/users.owned.queries.ts'
import { selectContacts } from './contacts.queries.ts'
import { contacts } from './contacts.table.ts'

/** A contact that the viewer may see. Refuses with ERR_NO_CONTACT_FOUND. */
export async function findCustomer(tx: Tx, contactId: number): Promise<Contact> {
  const itself = and(eq(contacts.companyId, tx.companyId), eq(contacts.id, contactId))
  const [contact] = await selectContacts(tx.sql, and(itself, ownCustomers(tx)))
  return contact ?? refuse('ERR_NO_CONTACT_FOUND')
}

/**
 * Which contacts a viewer sees who sees only own customers: those, and whose tickets are the viewer's. Undefined: all. By
 * table name: `tickets` is above.
 */
export function ownCustomers(
  { viewer, companyId }: Pick<Tx, 'viewer' | 'companyId'>,
  id: SQL = tag`${contacts.id}`,
): SQL | undefined {
  if (viewer === null || may(viewer, 'contacts:all')) return undefined
  return tag`${id} in (
    select c.id from contacts c where c.company_id = ${companyId} and c.owner_id = ${viewer.id}
    union select t.contact_id from tickets t where t.company_id = ${companyId} and t.user_id = ${viewer.id})`
}

/** The user, where there is one in the company: what was kept as JSON may name somebody who left. */
export const livingOwner = (tx: Tx, ownerId: number | null | undefined) =>
  tag<
    number | null
  >`(select id from users where company_id = ${tx.companyId} and id = ${ownerId ?? null}::int)`

/** The owners of these contacts. */
export async function ownersAmong(tx: Tx, contactIds: number[]): Promise<number[]> {
  const rows = await tx.sql
    .selectDistinct({ ownerId: contacts.ownerId })
    .from(contacts)
    .where(
      and(
        eq(contacts.companyId, tx.companyId),
        inArray(contacts.id, contactIds),
        isNotNull(contacts.ownerId),
      ),
    )
  return rows.map(({ ownerId }) => ownerId!)
}

/** Answers whether the user had customers. */
export async function changeOwner(tx: Tx, userId: number, heirId: number | null): Promise<boolean> {
  const theirs = and(eq(contacts.companyId, tx.companyId), eq(contacts.ownerId, userId))
  const [any] = await tx.sql.select({ id: contacts.id }).from(contacts).where(theirs).limit(1)
  if (any) await tx.sql.update(contacts).set({ ownerId: heirId }).where(theirs)
  return any !== undefined
}

export const customersOf = async (tx: Tx, userId: number) =>
  counted(
    await tx.sql
      .select({ name: contacts.name, count: ofAll })
      .from(contacts)
      .where(and(eq(contacts.companyId, tx.companyId), eq(contacts.ownerId, userId)))
      .orderBy(contacts.words, contacts.id)
      .limit(NAMED),
  )
