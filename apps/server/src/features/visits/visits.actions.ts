import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import { subjectOf } from '@balcao/contract/visits.rules.ts'
import type { OperatorVisit, VisitInput } from '@balcao/contract/visits.ts'
import type { Access } from '../../platform/access.ts'
import { refuse } from '../../platform/errors.ts'
import type { Guard } from '../../platform/routes.ts'
import type { PlatformScope } from '../../platform/scope.ts'
import { and, eq, sql as tag } from '../../platform/sql.ts'
import { visitChanged } from './visits.events.ts'
import { countLook, findVisitor, shown } from './visits.queries.ts'
import { visits } from './visits.table.ts'

interface Visitor {
  viewer: Viewer
  sessionId: string
}

/** Lets a master look into another company. Refuses with ERR_NO_COMPANY_FOUND, and with ERR_OWN_COMPANY the own one. */
export async function startVisit(
  platform: PlatformScope,
  access: Access,
  { viewer, sessionId }: Visitor,
  companyId: number,
  { reason, minutes }: VisitInput,
) {
  if (companyId === viewer.companyId) refuse('ERR_OWN_COMPANY')
  const user = await platform.transaction(sql => findVisitor(sql, viewer.id, companyId))
  const visit = await platform.inCompany(companyId).transaction(async tx => {
    const [row] = await tx.sql
      .insert(visits)
      .values({
        ...{ companyId, visitorId: viewer.id, visitorName: user.name, visitorEmail: user.email },
        ...{ sessionId, reason, endsAt: new Date(Date.now() + minutes * 60_000).toISOString() },
      })
      .returning(shown)
    tx.emit(visitChanged, { visit: row!, visitorId: viewer.id })
    tx.note('a master begins a visit', { by: viewer.id, visitId: row!.id, minutes, reason })
    return row!
  })
  const claims = { userId: viewer.id, companyId, sessionId, visitId: visit.id }
  return { token: await access.sign(claims, new Date(visit.endsAt)), user, visit }
}

/** Ends a visit of one's own; one that is over stays as it was. Refuses with ERR_NOT_FOUND. */
export const endVisit = (
  platform: PlatformScope,
  { id: visitorId }: Viewer,
  companyId: number,
  visitId: string,
): Promise<OperatorVisit> =>
  platform.inCompany(companyId).transaction(async tx => {
    const [visit] = await tx.sql
      .update(visits)
      .set({ endedAt: tag`coalesce(${visits.endedAt}, least(now(), ${visits.endsAt}))` })
      .where(and(eq(visits.companyId, companyId), eq(visits.id, visitId), eq(visits.visitorId, visitorId)))
      .returning(shown)
    if (!visit) return refuse('ERR_NOT_FOUND')
    tx.emit(visitChanged, { visit, visitorId })
    tx.note('a master ends a visit', { by: visitorId, visitId })
    return visit
  })

/** A visitor reads what is open to visits, and each look is written down before it is answered. */
export const watchVisitor: Guard = async ({ scopes }, viewer, route, params) => {
  const { visitId, companyId } = viewer
  if (visitId === undefined) return
  const subject = route.method === 'GET' ? subjectOf(route) : null
  if (!subject) return refuse('ERR_VISIT_CLOSED')
  const { ticketId, contactId } = params as Record<string, string | undefined>
  const subjectId = subject === 'conversation' ? ticketId : subject === 'contact' ? contactId : undefined
  const whole = subjectId && /^\d{1,9}$/.test(subjectId) ? Number(subjectId) : 0
  await scopes.inCompany(companyId).transaction(tx => countLook(tx, visitId, subject, whole))
}
