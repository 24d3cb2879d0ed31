import { may, type Viewer } from '@balcao/contract/permissions.rules.ts'
import type { Letter } from '../../platform/outbound/letter.ts'
import type { Scope } from '../../platform/scope.ts'
import type { DueTools } from '../../platform/work/due.ts'
import { workOff } from '../../platform/work/due-rows.ts'
import { viewerOfUser } from '../auth/auth.queries.ts'
import { isSwitchedOn } from '../companies/companies.queries.ts'
import { writeMail } from '../mails/mails.actions.ts'
import { figuresCsv } from './reports.export.ts'
import {
  type DueMail,
  dueMailOf,
  dueReportMails,
  emailOf,
  namesOfChosen,
  planNextMail,
} from './reports.mails.queries.ts'
import { endedLetter, weekLetter } from './reports.mails.text.ts'
import { report } from './reports.queries.ts'

type Tools = Pick<DueTools, 'scopes' | 'memory' | 'log' | 'stopping' | 'mail' | 'config'>

const AT_ONCE = 20

/** Mails the weekly reports that are due. True when more may be due. */
export const mailReports = (tools: Tools): Promise<boolean> =>
  workOff(tools, {
    name: 'reports',
    atOnce: AT_ONCE,
    find: dueReportMails,
    run: (scope, { userId }) => mailReport(scope, userId, tools),
  })

/**
 * One commit: the letter and the next time. Nothing is sent to who may not see the figures any more, and nothing where the
 * installation has no mail server. False when it is not due any more.
 */
async function mailReport(scope: Scope, userId: number, { scopes, mail, config }: Tools): Promise<boolean> {
  const due = await scope.read(tx => dueMailOf(tx, userId))
  if (!due) return false
  const viewer = await scopes.platform().transaction(sql => viewerOfUser(sql, scope.companyId, userId))
  const isAllowed = viewer !== null && mail.isSetUp && (await maySee(scope, viewer))
  const screen = viewer && may(viewer, 'dashboard') ? '/dash' : '/reports'
  const letter = isAllowed ? await letterOf(scope, due, config.backendUrl + screen) : null
  return scope.transaction(async tx => {
    const endKey = await planNextMail(tx, due)
    if (!endKey) return false
    const to = await emailOf(tx, userId)
    const link = { purpose: 'report', id: endKey } as const
    if (letter && to) await writeMail(tx, { cause: `report:${userId} ${due.dueAt}`, to, letter, link })
    else tx.note('a weekly report was not mailed: no right to see it, or no mail server', { userId })
    return true
  })
}

/** The right and the plan that the figures need. */
const maySee = async (scope: Scope, viewer: Viewer) =>
  may(viewer, 'reports') &&
  scope.read(
    async tx => (await isSwitchedOn(tx, 'enableDashboard')) || (await isSwitchedOn(tx, 'enableReports')),
  )

async function letterOf(scope: Scope, due: DueMail, screen: string): Promise<Letter> {
  const { language, initialDate, finalDate, queueIds, userIds } = due
  const names = await scope.read(tx => namesOfChosen(tx, due))
  // a filter by what was deleted would show the figures of all, or refuse
  if (names.queues.length < queueIds.length || names.users.length < userIds.length)
    return endedLetter(language, screen)
  const asked = { initialDate, finalDate, queueIds, userIds }
  const data = await report(scope, asked, { queueIds: 'selectedQueueIds', userIds: 'selectedUserIds' })
  const file = { type: 'text/csv; charset=utf-8', text: figuresCsv(data, language) }
  return weekLetter(language, { ...due, ...names, data, file, screen })
}
