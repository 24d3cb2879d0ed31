import type { ReportMailInput, ReportMailState } from '@balcao/contract/reports.ts'
import { readLink } from '../../platform/access/links.ts'
import type { Platform } from '../../platform/app.ts'
import { refuse } from '../../platform/errors.ts'
import type { Mail } from '../../platform/outbound/mail.ts'
import { type Scope, viewerOf } from '../../platform/scope.ts'
import {
  deleteReportMail,
  emailOf,
  ownerOfEnd,
  reportMailOf,
  writeReportMail,
} from './reports.mails.queries.ts'
import { rangeOf } from './reports.range.queries.ts'

/** What the viewer receives, and whether anything can be sent at all. */
export const reportMailState = (scope: Scope, { isSetUp }: Mail): Promise<ReportMailState> =>
  scope.read(async tx => {
    const { id } = viewerOf(scope)
    return { isSetUp, email: (await emailOf(tx, id)) ?? '', mail: await reportMailOf(tx, id) }
  })

/** Each Monday from now on, with these filters. Refuses with ERR_NO_MAIL, ERR_NO_QUEUE_FOUND, ERR_NO_USER_FOUND. */
export async function receiveReport(
  scope: Scope,
  mail: Mail,
  { selectedQueueIds = [], selectedUserIds = [], language = 'ptBR' }: ReportMailInput,
): Promise<ReportMailState> {
  if (!mail.isSetUp) refuse('ERR_NO_MAIL')
  const chosen = { queueIds: [...new Set(selectedQueueIds)], userIds: [...new Set(selectedUserIds)] }
  const { id: userId } = viewerOf(scope)
  await scope.transaction(async tx => {
    await rangeOf(tx, chosen, { queueIds: 'selectedQueueIds', userIds: 'selectedUserIds' })
    await writeReportMail(tx, { ...chosen, userId, language })
    tx.note('a user receives a weekly report', { userId })
  })
  return reportMailState(scope, mail)
}

export const stopReport = (scope: Scope, userId = viewerOf(scope).id): Promise<Record<string, never>> =>
  scope.transaction(async tx => {
    await deleteReportMail(tx, userId)
    tx.note('a user receives the weekly report no longer', { userId })
    return {}
  })

/** The same by the link of a letter, without a session. Refuses with ERR_LINK_OVER. */
export async function endReport(
  { scopes, secrets }: Pick<Platform, 'scopes' | 'secrets'>,
  token: string,
): Promise<Record<string, never>> {
  const key = readLink(secrets.links, 'report', token)
  const found = key && (await scopes.platform().transaction(sql => ownerOfEnd(sql, key)))
  return found ? stopReport(scopes.inCompany(found.companyId), found.userId) : refuse('ERR_LINK_OVER')
}
