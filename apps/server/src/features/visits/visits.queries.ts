import { type Viewer, viewerFrom } from '@balcao/contract/permissions.rules.ts'
import type { User } from '@balcao/contract/users.ts'
import type { OperatorVisit } from '@balcao/contract/visits.ts'
import type { Claims } from '../../platform/access/access.ts'
import { refuse } from '../../platform/errors.ts'
import { onePage } from '../../platform/lists/lists.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { and, desc, eq, gt, isNull, rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { sessions } from '../auth/auth.table.ts'
import { shownCompany } from '../companies/companies.queries.ts'
import { companies, plans } from '../companies/companies.table.ts'
import { selectUsers } from '../users/users.queries.ts'
import { users } from '../users/users.table.ts'
import { visits } from './visits.table.ts'

/** Records of reads shown with a visit, the newest first. */
const SHOWN_LOOKS = 100

const looks = tag<OperatorVisit['looks']>`(
  select coalesce(json_agg(json_build_object('subject', l.subject, 'subjectId', nullif(l.subject_id, 0), 'times', l.times,
    'lastAt', to_char(l.last_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by l.last_at desc), '[]')
  from (select * from visit_looks one where one.company_id = visits.company_id and one.visit_id = visits.id
    order by one.last_at desc limit ${SHOWN_LOOKS}) l)`

const shown = {
  id: visits.id,
  companyId: visits.companyId,
  visitorName: visits.visitorName,
  visitorEmail: visits.visitorEmail,
  reason: visits.reason,
  startedAt: visits.startedAt,
  endsAt: visits.endsAt,
  endedAt: visits.endedAt,
  looks,
}

export async function listVisits(tx: Tx, pageNumber: number | undefined) {
  const { rows, hasMore } = await onePage({ pageNumber }, (limit, offset) =>
    tx.sql
      .select(shown)
      .from(visits)
      .where(eq(visits.companyId, tx.companyId))
      .orderBy(desc(visits.startedAt), desc(visits.id))
      .limit(limit)
      .offset(offset),
  )
  return { visits: rows, hasMore }
}

/** The viewer of a visit; null when it or its session ended, the user is no longer a master, or the company is being deleted. */
export async function viewerOfVisit(sql: Sql, claims: Claims): Promise<Viewer | null> {
  const [visit] = await sql
    .select({ id: visits.id })
    .from(visits)
    .where(
      and(
        eq(visits.companyId, claims.companyId),
        eq(visits.id, claims.visitId!),
        eq(visits.visitorId, claims.userId),
        eq(visits.sessionId, claims.sessionId),
        isNull(visits.endedAt),
        gt(visits.endsAt, tag`now()`),
        tag`exists (select from ${sessions} s where s.id = ${claims.sessionId} and s.user_id = ${claims.userId} and s.expires_at > now())`,
      ),
    )
  const user = visit && (await visitorOrNull(sql, claims.userId, claims.companyId))
  return user ? { ...viewerFrom(user), visitId: visit.id } : null
}

/** A master as a user of another company. Refuses with ERR_NO_COMPANY_FOUND. */
export const findVisitor = async (sql: Sql, userId: number, companyId: number): Promise<User> =>
  (await visitorOrNull(sql, userId, companyId)) ?? refuse('ERR_NO_COMPANY_FOUND')

/**
 * A master in another company has the permissions of its admins, without their own and without billing. What is closed to
 * visits (visits.rules) is not in the menu.
 */
async function visitorOrNull(sql: Sql, userId: number, companyId: number): Promise<User | null> {
  const [master] = await selectUsers(
    sql,
    and(
      eq(users.id, userId),
      eq(users.master, 1),
      tag`exists (select from ${companies} own where own.id = ${users.companyId} and own.status = 1)`,
    ),
  )
  const [visited] = await sql
    .select({ company: companies, plan: plans })
    .from(companies)
    .leftJoin(plans, eq(plans.companyId, companies.id))
    .where(and(eq(companies.id, companyId), isNull(companies.leavingAt)))
  if (!master || !visited) return null
  const company = shownCompany(visited.company, visited.plan)
  const plan = company.plan.map(own => ({ ...own, enableApi: false, iaIntegrationEnabled: false }))
  return {
    ...master,
    ...{
      companyId,
      profile: 'admin',
      master: 0,
      payPanelAccess: false,
      signMessage: false,
      showAllTickets: true,
    },
    ...{ queues: [], queueIds: [], whatsappId: null, whatsapp: null },
    ...{ userAuthorizationId: null, userAuthorization: null },
    company: { ...company, enableCampaigns: false, enableBots: false, payBy: null, termsDue: false, plan },
  }
}

/** Records a read in a visit; repeated ones are counted. */
export const countLook = (tx: Tx, visitId: string, subject: string, subjectId: number) =>
  rowsFrom(
    tx.sql,
    tag`insert into visit_looks (company_id, visit_id, subject, subject_id)
      values (${tx.companyId}, ${visitId}, ${subject}, ${subjectId})
      on conflict (company_id, visit_id, subject, subject_id)
      do update set times = visit_looks.times + 1, last_at = now()`,
  )

export async function insertVisit(tx: Tx, fields: Omit<typeof visits.$inferInsert, 'companyId'>) {
  const [row] = await tx.sql
    .insert(visits)
    .values({ ...fields, companyId: tx.companyId })
    .returning(shown)
  return row!
}

/** Ends a visit of a visitor, at its planned end at the latest; null when there is none. */
export async function endVisitOf(tx: Tx, visitorId: number, visitId: string) {
  const [row] = await tx.sql
    .update(visits)
    .set({ endedAt: tag`coalesce(${visits.endedAt}, least(now(), ${visits.endsAt}))` })
    .where(and(eq(visits.companyId, tx.companyId), eq(visits.id, visitId), eq(visits.visitorId, visitorId)))
    .returning(shown)
  return row ?? null
}
