import { reports } from '@balcao/contract/reports.ts'
import { Refusal, refuse } from '../../platform/errors.ts'
import { serve, serveOpen, serveRaw } from '../../platform/http/routes.ts'
import { END_PATH } from '../../platform/outbound/mail.ts'
import type { Scope } from '../../platform/scope.ts'
import { askPlan, isSwitchedOn } from '../companies/companies.queries.ts'
import { changeTargets } from './reports.actions.ts'
import { listServices } from './reports.closings.queries.ts'
import { exportReport } from './reports.export.ts'
import { endReport, receiveReport, reportMailState, stopReport } from './reports.mails.actions.ts'
import { report } from './reports.queries.ts'
import { chosenIn, rangeIn, selected } from './reports.range.queries.ts'
import { byReason } from './reports.reasons.queries.ts'
import { byHour } from './reports.sums.queries.ts'
import { targetsOf } from './reports.targets.queries.ts'

export const routes = [
  serve(reports.dash, async (scope, { query: { initialDate, finalDate, currentQueue, currentUser } }) => {
    await scope.read(tx => askPlan(tx, 'enableDashboard'))
    const chosen = { initialDate, finalDate, queueIds: listOf(currentQueue), userIds: listOf(currentUser) }
    const names = { queueIds: 'currentQueue', userIds: 'currentUser' } as const
    return { reportData: await report(scope.behind(), chosen, names) }
  }),
  serve(reports.attendances, async (scope, { query }) => {
    await scope.read(tx => askPlan(tx, 'enableReports'))
    return { reportData: await report(scope.behind(), chosenIn(query), selected) }
  }),
  serve(reports.hours, async (scope, { query }) => {
    await askEither(scope)
    return scope.behind().read(async tx => ({ hours: await byHour(tx, await rangeIn(tx, query)) }))
  }),
  serve(reports.online, async (scope, _input, { platform }) => {
    await askEither(scope)
    return { users: (await platform.sockets.present(scope.companyId)).size }
  }),
  serve(reports.targets, async scope => {
    await askEither(scope)
    return scope.read(targetsOf)
  }),
  serve(reports.changeTargets, async (scope, { body }) => {
    await askEither(scope)
    return changeTargets(scope, body)
  }),
  serve(reports.showMail, async (scope, _input, { platform }) => {
    await askEither(scope)
    return reportMailState(scope, platform.mail)
  }),
  serve(reports.changeMail, async (scope, { body }, { platform }) => {
    await askEither(scope)
    return receiveReport(scope, platform.mail, body)
  }),
  serve(reports.stopMail, scope => stopReport(scope)),
  serveOpen(reports.endMail, (_scope, { body }, { platform }) => endReport(platform, body.token)),
  serveRaw({
    method: 'POST',
    path: `${END_PATH}:token`,
    summary:
      'Ends the weekly report from a mail program, in one click (RFC 8058). 200 also where it has ended.',
    async handle(platform, { params }) {
      await endReport(platform, params.token!).catch(error => {
        if (!(error instanceof Refusal)) throw error
      })
      return { status: 200 }
    },
  }),
  serve(reports.services, async (scope, { query }) => {
    await askEither(scope)
    const behind = scope.behind()
    const range = await behind.read(tx => rangeIn(tx, query))
    return behind.list(tx => listServices(tx, range, query, query))
  }),
  serve(reports.reasons, async (scope, { query }) => {
    await askEither(scope)
    const behind = scope.behind()
    const range = await behind.read(tx => rangeIn(tx, query))
    return behind.list(tx => byReason(tx, range))
  }),
  serve(reports.export, async (scope, { query }, { platform }) => {
    await askEither(scope)
    const { what, format, language = 'ptBR' } = query
    return exportReport(scope.behind(), platform.files, { what, format, language }, chosenIn(query), selected)
  }),
]

/** The dashboard and the reports both lead to what stands behind their figures. */
const askEither = (scope: Scope) =>
  scope.read(async tx => {
    const isOn = (await isSwitchedOn(tx, 'enableDashboard')) || (await isSwitchedOn(tx, 'enableReports'))
    if (!isOn) refuse('ERR_NOT_IN_PLAN')
  })

const listOf = (id: number | null | undefined) => (id ? [id] : [])
