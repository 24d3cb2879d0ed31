import type { Invitation } from '@balcao/contract/invitations.ts'
import { refuse } from '../../platform/errors.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { and, desc, eq, gt, lt, type SQL, sql as tag } from '../../platform/postgres/sql.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { companies } from '../companies/companies.table.ts'
import { mails } from '../mails/mails.table.ts'
import { userAuthorizations } from '../permissions/permissions.table.ts'
import { counted, NAMED, ofAll } from '../users/users.owned.queries.ts'
import { invitations } from './invitations.table.ts'

const MOST_SHOWN = 200

export type InvitationRow = typeof invitations.$inferSelect

export const causeOf = (linkId: string) => `invitation:${linkId}`

export const listInvitations = (scope: Scope): Promise<Invitation[]> => scope.list(tx => select(tx))

/** Refuses with ERR_NOT_FOUND. */
export async function findInvitation(tx: Tx, invitationId: number): Promise<Invitation> {
  const [invitation] = await select(tx, eq(invitations.id, invitationId))
  return invitation ?? refuse('ERR_NOT_FOUND')
}

export async function invitationOfCause(tx: Tx, cause: string): Promise<Invitation | null> {
  const [invitation] = await select(tx, tag`${cause} = 'invitation:' || ${invitations.linkId}`)
  return invitation ?? null
}

async function select(tx: Tx, where?: SQL): Promise<Invitation[]> {
  const rows = await tx.sql
    .select({
      invitation: invitations,
      group: { id: userAuthorizations.id, name: userAuthorizations.name },
      queues: queuesOfInvitation,
      delivery,
    })
    .from(invitations)
    .leftJoin(
      userAuthorizations,
      and(
        eq(userAuthorizations.companyId, invitations.companyId),
        eq(userAuthorizations.id, invitations.userAuthorizationId),
      ),
    )
    .leftJoin(
      mails,
      and(
        eq(mails.companyId, invitations.companyId),
        eq(mails.cause, tag`'invitation:' || ${invitations.linkId}`),
      ),
    )
    .where(and(eq(invitations.companyId, tx.companyId), where))
    .orderBy(desc(invitations.id))
    .limit(MOST_SHOWN)
  return rows.map(({ invitation, group, ...shown }) => ({
    ...invitation,
    ...shown,
    userAuthorization: group,
  }))
}

const queuesOfInvitation = tag<Invitation['queues']>`(
  select coalesce(json_agg(json_build_object('id', q.id, 'name', q.name, 'color', q.color) order by folded(q.name)), '[]')
  from queues q where q.company_id = ${invitations.companyId}
  and q.id in (select value::int from jsonb_array_elements_text(${invitations.queueIds})))`

/** A letter is retried for two hours (mails.jobs): one that waits longer than three has failed. */
const delivery = tag<Invitation['delivery']>`case
  when ${mails.state} is null then 'none'
  when ${mails.state} = 'waiting' and ${mails.createdAt} < now() - interval '3 hours' then 'failed'
  else ${mails.state} end`

export async function countOpen(tx: Tx): Promise<number> {
  const [row] = await tx.sql
    .select({ count: tag<number>`count(*)::int` })
    .from(invitations)
    .where(and(eq(invitations.companyId, tx.companyId), gt(invitations.expiresAt, tag`now()`)))
  return row?.count ?? 0
}

const companyName = tag<string>`coalesce(nullif(${companies.name}, ''), ${companies.companyName})`

/** The invitation of a valid link, for a request without a session. */
export async function openInvitation(sql: Sql, linkId: string) {
  const [row] = await sql
    .select({ invitation: invitations, companyName })
    .from(invitations)
    .innerJoin(companies, and(eq(companies.id, invitations.companyId), eq(companies.status, 1)))
    .where(and(eq(invitations.linkId, linkId), gt(invitations.expiresAt, tag`now()`)))
  return row ?? null
}

export const dropOldInvitations = (sql: Sql) =>
  sql.delete(invitations).where(tag`${invitations.expiresAt} < now() - interval '30 days'`)

export async function invitedBy(tx: Tx, userId: number) {
  const rows = await tx.sql
    .select({ name: invitations.email, count: ofAll })
    .from(invitations)
    .where(
      and(
        eq(invitations.companyId, tx.companyId),
        eq(invitations.userId, userId),
        gt(invitations.expiresAt, tag`now()`),
      ),
    )
    .orderBy(invitations.email)
    .limit(NAMED)
  return counted(rows)
}

type Columns = typeof invitations.$inferInsert

export async function insertInvitation(tx: Tx, fields: Omit<Columns, 'companyId'>): Promise<InvitationRow> {
  const [row] = await tx.sql
    .insert(invitations)
    .values({ ...fields, companyId: tx.companyId })
    .returning()
  return row!
}

export async function updateInvitation(tx: Tx, invitationId: number, fields: Partial<Columns>) {
  const [row] = await tx.sql.update(invitations).set(fields).where(byId(tx, invitationId)).returning()
  return row!
}

export async function deleteInvitation(tx: Tx, invitationId: number): Promise<boolean> {
  const deleted = await tx.sql
    .delete(invitations)
    .where(byId(tx, invitationId))
    .returning({ id: invitations.id })
  return deleted.length > 0
}

/** Locked. Refuses with ERR_NOT_FOUND. */
export async function lockInvitation(tx: Tx, invitationId: number): Promise<InvitationRow> {
  const [row] = await tx.sql.select().from(invitations).where(byId(tx, invitationId)).for('update')
  return row ?? refuse('ERR_NOT_FOUND')
}

export const deleteExpired = (tx: Tx, email: string) =>
  tx.sql
    .delete(invitations)
    .where(
      and(
        eq(invitations.companyId, tx.companyId),
        eq(tag`lower(${invitations.email})`, email.toLowerCase()),
        lt(invitations.expiresAt, tag`now()`),
      ),
    )

export const invitationsBy = (tx: Tx, userId: number): Promise<InvitationRow[]> =>
  tx.sql
    .select()
    .from(invitations)
    .where(and(eq(invitations.companyId, tx.companyId), eq(invitations.userId, userId)))

export const moveInvitations = (tx: Tx, from: number, into: number) =>
  tx.sql
    .update(invitations)
    .set({ userId: into })
    .where(and(eq(invitations.companyId, tx.companyId), eq(invitations.userId, from)))

/** Invitations into a deleted group have none, as its users (OP-70). */
export const clearAuthorization = (tx: Tx, userAuthorizationId: number) =>
  tx.sql
    .update(invitations)
    .set({ userAuthorizationId: null })
    .where(
      and(eq(invitations.companyId, tx.companyId), eq(invitations.userAuthorizationId, userAuthorizationId)),
    )

const byId = (tx: Tx, invitationId: number) =>
  and(eq(invitations.companyId, tx.companyId), eq(invitations.id, invitationId))
