import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import { subjectOf } from '@balcao/contract/visits.rules.ts'
import type { OperatorVisit, VisitInput } from '@balcao/contract/visits.ts'
import type { Access } from '../../platform/access/access.ts'
import { databaseNow } from '../../platform/clock.ts'
import { refuse } from '../../platform/errors.ts'
import type { Guard } from '../../platform/http/routes.ts'
import type { PlatformScope } from '../../platform/scope.ts'
import { ticketsNaming } from '../messages/thread/files.queries.ts'
import { visitChanged } from './visits.events.ts'
import { countLook, endVisitOf, findVisitor, insertVisit } from './visits.queries.ts'

interface Visitor {
  viewer: Viewer
  sessionId: string
}

/** Opens a visit of a master to another company. Refuses with ERR_NO_COMPANY_FOUND, and their own company with ERR_OWN_COMPANY. */
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
    const row = await insertVisit(tx, {
      ...{ visitorId: viewer.id, visitorName: user.name, visitorEmail: user.email },
      ...{ sessionId, reason, endsAt: new Date(databaseNow() + minutes * 60_000).toISOString() },
    })
    tx.emit(visitChanged, { visit: row, visitorId: viewer.id })
    tx.note('a master begins a visit', { by: viewer.id, visitId: row.id, minutes })
    return row
  })
  const claims = { userId: viewer.id, companyId, sessionId, visitId: visit.id }
  return { token: await access.sign(claims, new Date(visit.endsAt)), user, visit }
}

/** Ends a visit of the caller; one that is over is not changed. Refuses with ERR_NOT_FOUND. */
export const endVisit = (
  platform: PlatformScope,
  { id: visitorId }: Viewer,
  companyId: number,
  visitId: string,
): Promise<OperatorVisit> =>
  platform.inCompany(companyId).transaction(async tx => {
    const visit = (await endVisitOf(tx, visitorId, visitId)) ?? refuse('ERR_NOT_FOUND')
    tx.emit(visitChanged, { visit, visitorId })
    tx.note('a master ends a visit', { by: visitorId, visitId })
    return visit
  })

/** Limits a visitor to the routes open to visits, and records each read before its answer. */
export const watchVisitor: Guard['check'] = async ({ scopes }, viewer, route, params) => {
  const { visitId, companyId } = viewer
  if (visitId === undefined) return
  const subject = route.method === 'GET' ? subjectOf(route) : null
  if (!subject) return refuse('ERR_VISIT_CLOSED')
  const { ticketId, contactId } = params as Record<string, string | undefined>
  const subjectId = subject === 'conversation' ? ticketId : subject === 'contact' ? contactId : undefined
  const whole = subjectId && /^\d{1,9}$/.test(subjectId) ? Number(subjectId) : 0
  await scopes.inCompany(companyId).transaction(tx => countLook(tx, visitId, subject, whole))
}

/** Records a file that a visitor reads, before its answer, with the ticket whose message names it. */
export const recordFile: Guard['checkFile'] = async ({ scopes }, { visitId, companyId }, address) => {
  if (visitId === undefined) return
  await scopes.inCompany(companyId).transaction(async tx => {
    const [named] = await ticketsNaming(tx, address)
    await countLook(tx, visitId, 'file', named?.ticketId ?? 0)
  })
}
