import { type KeptDraft, MAX_DRAFTS } from '@balcao/contract/drafts.ts'
import { and, desc, eq, inArray, isNotNull, ne, or, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { tickets } from '../tickets/tickets.table.ts'
import { drafts } from './drafts.table.ts'

const shown = {
  ticketId: drafts.ticketId,
  body: drafts.body,
  quotedId: drafts.quotedId,
  at: drafts.at,
}

const holdsSomething = or(ne(drafts.body, ''), isNotNull(drafts.quotedId))

const ofUser = (tx: Tx, userId: number) => and(eq(drafts.companyId, tx.companyId), eq(drafts.userId, userId))

/** Empty drafts report that a message was sent on another device; they never displace drafts with content. */
export const listDrafts = (tx: Tx, userId: number): Promise<KeptDraft[]> =>
  tx.sql
    .select(shown)
    .from(drafts)
    .where(ofUser(tx, userId))
    .orderBy(desc(tag`${holdsSomething}`), desc(drafts.at))
    .limit(2 * MAX_DRAFTS)

/** Stores a draft unless a newer version is stored. `isNew`: it was stored; `draft`: the stored one. */
export async function putDraft(
  tx: Tx,
  userId: number,
  draft: KeptDraft,
): Promise<{ draft: KeptDraft; isNew: boolean }> {
  const { body, quotedId, at } = draft
  const [written] = await tx.sql
    .insert(drafts)
    .values({ ...draft, companyId: tx.companyId, userId })
    .onConflictDoUpdate({
      target: [drafts.companyId, drafts.userId, drafts.ticketId],
      set: { body, quotedId, at, savedAt: tag`now()` },
      setWhere: tag`${drafts.at} < ${at}`,
    })
    .returning(shown)
  if (written) return { draft: written, isNew: true }
  const [known] = await tx.sql
    .select(shown)
    .from(drafts)
    .where(and(ofUser(tx, userId), eq(drafts.ticketId, draft.ticketId)))
  return { draft: known!, isNew: false }
}

/** Deletes drafts with content beyond MAX_DRAFTS, the oldest first. */
export async function dropSurplus(tx: Tx, userId: number): Promise<void> {
  const surplus = tx.sql
    .select({ ticketId: drafts.ticketId })
    .from(drafts)
    .where(and(ofUser(tx, userId), holdsSomething))
    .orderBy(desc(drafts.at))
    .offset(MAX_DRAFTS)
  await tx.sql.delete(drafts).where(and(ofUser(tx, userId), inArray(drafts.ticketId, surplus)))
}

/** Drafts of all users to a contact. */
export const draftsTo = (tx: Tx, contactId: number) =>
  tx.sql
    .select({ ticketId: drafts.ticketId, body: drafts.body, savedAt: drafts.savedAt })
    .from(drafts)
    .innerJoin(tickets, and(eq(tickets.companyId, drafts.companyId), eq(tickets.id, drafts.ticketId)))
    .where(and(eq(drafts.companyId, tx.companyId), eq(tickets.contactId, contactId), ne(drafts.body, '')))
    .limit(MAX_DRAFTS)
