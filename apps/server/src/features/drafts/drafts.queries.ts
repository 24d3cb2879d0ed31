import { type KeptDraft, MAX_DRAFTS } from '@balcao/contract/drafts.ts'
import { given, preparedText } from '../../platform/postgres/prepared.ts'
import { and, desc, eq, inArray, isNotNull, ne, or, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import type { SentDraft } from '../messages/messages.events.ts'
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

/** Empties drafts, each unless a version newer than the sent one is stored. Answers those that were emptied. */
export function emptyDrafts(tx: Tx, sent: SentDraft[]) {
  const newest = new Map<string, SentDraft>()
  for (const one of sent) {
    const place = `${one.userId} ${one.ticketId}`
    if ((newest.get(place)?.at ?? -1) < one.at) newest.set(place, one)
  }
  const each = [...newest.values()]
  return emptied(tx.sql, {
    companyId: tx.companyId,
    userIds: each.map(({ userId }) => userId),
    ticketIds: each.map(({ ticketId }) => ticketId),
    ats: each.map(({ at }) => at + 1),
  })
}

const emptied = preparedText<KeptDraft & { userId: number }>(
  () => tag`insert into drafts as d (company_id, user_id, ticket_id, body, quoted_id, at)
    select ${given('companyId')}::int, s.user_id, s.ticket_id, '', null, s.at
    from unnest(${given('userIds')}::int[], ${given('ticketIds')}::int[], ${given('ats')}::bigint[]) as s (user_id, ticket_id, at)
    order by 2, 3
    on conflict (company_id, user_id, ticket_id) do update
      set body = '', quoted_id = null, at = excluded.at, saved_at = now() where d.at < excluded.at
    returning user_id as "userId", ticket_id as "ticketId", body, quoted_id as "quotedId", at::float8 as at`,
)

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
