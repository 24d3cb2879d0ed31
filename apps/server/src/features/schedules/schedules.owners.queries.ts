import { namesFiles } from '../../platform/files/orphans.ts'
import { and, eq, inArray, isNotNull, type SQL, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { contacts } from '../contacts/contacts.table.ts'
import { counted, NAMED, ofAll } from '../users/users.owned.queries.ts'
import { schedules } from './schedules.table.ts'

/** Contacts that a user has planned messages for. */
export async function schedulesOwnedBy(tx: Tx, userId: number) {
  const rows = await tx.sql
    .select({ name: contacts.name, count: ofAll })
    .from(schedules)
    .innerJoin(
      contacts,
      and(eq(contacts.companyId, schedules.companyId), eq(contacts.id, schedules.contactId)),
    )
    .where(
      and(eq(schedules.companyId, tx.companyId), eq(schedules.userId, userId), isNotNull(schedules.nextAt)),
    )
    .orderBy(schedules.nextAt)
    .limit(NAMED)
  return counted(rows)
}

/** Which of these addresses schedules send. */
export async function filesInSchedules(tx: Tx, addresses: string[]): Promise<string[]> {
  const rows = await tx.sql
    .selectDistinct({ mediaUrl: schedules.mediaUrl })
    .from(schedules)
    .where(and(eq(schedules.companyId, tx.companyId), inArray(schedules.mediaUrl, addresses)))
  return rows.flatMap(row => row.mediaUrl ?? [])
}

/** Files that schedules name. */
export const scheduleFiles = namesFiles(schedules, schedules.mediaUrl)

const ids = { id: schedules.id }

/** Removes a deleted queue or connection. Returns which schedules had it. */
export const detachFrom = (tx: Tx, field: 'queueId' | 'whatsappId', id: number) =>
  tx.sql
    .update(schedules)
    .set({ [field]: null })
    .where(and(eq(schedules.companyId, tx.companyId), eq(schedules[field], id)))
    .returning(ids)

/** Moves a user's schedules to another; without one nothing more of them is due. Returns which. */
export const moveToUser = (tx: Tx, userId: number, heirId: number | null) =>
  tx.sql
    .update(schedules)
    .set({ userId: heirId, ...(heirId === null && { nextAt: null }) })
    .where(and(eq(schedules.companyId, tx.companyId), eq(schedules.userId, userId)))
    .returning(ids)

/** Two contacts are merged. Returns which schedules moved. */
export const moveSchedulesToContact = (tx: Tx, from: number, into: number, mergeId: number | null) =>
  setContact(
    tx,
    eq(schedules.contactId, from),
    into,
    tag`array_append(${schedules.mergeIds}, ${mergeId}::int)`,
  )

/** A merge is undone: what it moved returns, whatever moved it since. Returns which. */
export const returnToContact = (tx: Tx, from: number, mergeId: number) =>
  setContact(
    tx,
    tag`${mergeId}::int = any(${schedules.mergeIds})`,
    from,
    tag`${schedules.mergeIds}[:array_position(${schedules.mergeIds}, ${mergeId}::int) - 1]`,
  )

const setContact = (tx: Tx, which: SQL, contactId: number, mergeIds: SQL) =>
  tx.sql
    .update(schedules)
    .set({ contactId, mergeIds })
    .where(and(eq(schedules.companyId, tx.companyId), which))
    .returning(ids)

const ofContact = (tx: Tx, contactId: number) =>
  and(eq(schedules.companyId, tx.companyId), eq(schedules.contactId, contactId))

export const deleteSchedulesOf = (tx: Tx, contactId: number) =>
  tx.sql
    .delete(schedules)
    .where(ofContact(tx, contactId))
    .returning({ id: schedules.id, mediaUrl: schedules.mediaUrl })

/** What is planned for a contact. */
export const exportSchedulesOf = (tx: Tx, contactId: number) =>
  tx.sql
    .select({
      id: schedules.id,
      body: schedules.body,
      mediaUrl: schedules.mediaUrl,
      sendAt: schedules.sendAt,
    })
    .from(schedules)
    .where(ofContact(tx, contactId))
    .orderBy(schedules.id)
