import type { Invitation } from '@balcao/contract/invitations.ts'
import type { Sql } from '../../platform/db.ts'
import { refuse } from '../../platform/errors.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { and, desc, eq, gt, type SQL, sql as tag } from '../../platform/sql.ts'
import { companies } from '../companies/companies.table.ts'
import { mails } from '../mails/mails.table.ts'
import { userAuthorizations } from '../permissions/permissions.table.ts'
import { invitations } from './invitations.table.ts'

const MOST_SHOWN = 200

export type InvitationRow = typeof invitations.$inferSelect

/** The cause of the letter that holds this link. */
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
  select coalesce(json_agg(json_build_object('id', q.id, 'name', q.name, 'color', q.color) order by lower(q.name)), '[]')
  from queues q where q.company_id = ${invitations.companyId}
  and q.id in (select value::int from jsonb_array_elements_text(${invitations.queueIds})))`

/** A letter is tried for two hours (mails.jobs): what waits longer than three will not leave. */
const delivery = tag<Invitation['delivery']>`case
  when ${mails.state} is null then 'none'
  when ${mails.state} = 'waiting' and ${mails.createdAt} < now() - interval '3 hours' then 'failed'
  else ${mails.state} end`

/** How many were invited and can still accept. */
export async function countOpen(tx: Tx): Promise<number> {
  const [row] = await tx.sql
    .select({ count: tag<number>`count(*)::int` })
    .from(invitations)
    .where(and(eq(invitations.companyId, tx.companyId), gt(invitations.expiresAt, tag`now()`)))
  return row?.count ?? 0
}

const companyName = tag<string>`coalesce(nullif(${companies.companyName}, ''), ${companies.name})`

/** What a link leads to while it is good; whoever follows it has no session. */
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
