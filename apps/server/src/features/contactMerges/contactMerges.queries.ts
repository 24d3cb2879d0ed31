import { type ContactMerge, UNDO_HOURS } from '@balcao/contract/contactMerges.ts'
import { refuse } from '../../platform/errors.ts'
import { namesFiles } from '../../platform/files/orphans.ts'
import { and, desc, eq, type SQL, sql as tag } from '../../platform/postgres/sql.ts'
import type { PlatformScope, Tx } from '../../platform/scope.ts'
import type { ContactFacts, GoneContact } from '../contacts/contacts.facts.queries.ts'
import { contacts } from '../contacts/contacts.table.ts'
import { users } from '../users/users.table.ts'
import { contactMerges, contactsApart } from './contactMerges.table.ts'

export type MergeRecord = typeof contactMerges.$inferSelect

const lasting = tag`interval '${tag.raw(String(UNDO_HOURS))} hours'`
const isFresh = tag`${contactMerges.at} > now() - ${lasting}`

export async function listMerges(tx: Tx, narrowed?: SQL): Promise<ContactMerge[]> {
  const rows = await tx.sql
    .select({
      id: contactMerges.id,
      contact: { id: contacts.id, name: contacts.name },
      fromId: contactMerges.fromId,
      fromName: tag<string>`${contactMerges.gone} #>> '{facts,name}'`,
      by: { id: users.id, name: users.name },
      at: contactMerges.at,
      undoUntil: tag<string>`${contactMerges.at} + ${lasting}`.mapWith(contactMerges.at),
    })
    .from(contactMerges)
    .innerJoin(
      contacts,
      and(eq(contacts.companyId, contactMerges.companyId), eq(contacts.id, contactMerges.intoId)),
    )
    .leftJoin(users, and(eq(users.companyId, contactMerges.companyId), eq(users.id, contactMerges.byUserId)))
    .where(and(eq(contactMerges.companyId, tx.companyId), isFresh, narrowed))
    .orderBy(desc(contactMerges.at), desc(contactMerges.id))
    .limit(MOST)
  return rows.map(({ fromId, fromName, ...merge }) => ({ ...merge, from: { id: fromId, name: fromName } }))
}

const MOST = 50

/** Refuses with ERR_NOT_FOUND. */
export const findMerge = async (tx: Tx, mergeId: number): Promise<ContactMerge> =>
  (await listMerges(tx, eq(contactMerges.id, mergeId)))[0] ?? refuse('ERR_NOT_FOUND', { field: 'mergeId' })

/** One that can be undone, locked. Refuses with ERR_NOT_FOUND. */
export async function lockMerge(tx: Tx, mergeId: number): Promise<MergeRecord> {
  const [row] = await tx.sql
    .select()
    .from(contactMerges)
    .where(and(itself(tx, mergeId), isFresh))
    .for('update')
  return row ?? refuse('ERR_NOT_FOUND', { field: 'mergeId' })
}

interface NewMerge {
  into: number
  from: number
  before: ContactFacts
  after: ContactFacts
  gone: GoneContact
}

export async function insertMerge(tx: Tx, { into: intoId, from: fromId, ...facts }: NewMerge) {
  const [row] = await tx.sql
    .insert(contactMerges)
    .values({ companyId: tx.companyId, intoId, fromId, ...facts, byUserId: tx.viewer?.id ?? null })
    .returning({ id: contactMerges.id })
  return row!.id
}

export const deleteMerge = (tx: Tx, mergeId: number) =>
  tx.sql.delete(contactMerges).where(itself(tx, mergeId))

/** Also merges into contacts that were merged into it, recursively: all hold personal data of it. */
export const deleteMergesInto = (tx: Tx, contactId: number): Promise<MergeRecord[]> =>
  tx.sql
    .delete(contactMerges)
    .where(
      and(
        eq(contactMerges.companyId, tx.companyId),
        tag`${contactMerges.id} in (
          with recursive chain as (
            select id, from_id from contact_merges where company_id = ${tx.companyId} and into_id = ${contactId}
            union select m.id, m.from_id from contact_merges m join chain on m.into_id = chain.from_id
              where m.company_id = ${tx.companyId})
          select id from chain)`,
      ),
    )
    .returning()

export const deleteOverdue = (tx: Tx): Promise<MergeRecord[]> =>
  tx.sql
    .delete(contactMerges)
    .where(and(eq(contactMerges.companyId, tx.companyId), tag`not ${isFresh}`))
    .returning()

/** Companies with merges that can no longer be undone. */
export const companiesWithOverdue = (platform: PlatformScope): Promise<number[]> =>
  platform.transaction(async sql => {
    const rows = await sql
      .selectDistinct({ companyId: contactMerges.companyId })
      .from(contactMerges)
      .where(tag`not ${isFresh}`)
    return rows.map(({ companyId }) => companyId)
  })

export const writeApart = (tx: Tx, oneId: number, otherId: number) =>
  tx.sql.insert(contactsApart).values({ companyId: tx.companyId, oneId, otherId }).onConflictDoNothing()

const itself = (tx: Tx, mergeId: number) =>
  and(eq(contactMerges.companyId, tx.companyId), eq(contactMerges.id, mergeId))

export const mergeFiles = namesFiles(
  contactMerges,
  tag`array[${contactMerges.before}->>'profilePicUrl', ${contactMerges.after}->>'profilePicUrl',
    ${contactMerges.gone}->'row'->>'profilePicUrl']`,
)
