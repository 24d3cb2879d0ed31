import { workCalendarOf } from '@balcao/contract/schedules.rules.ts'
import { schedules } from '@balcao/contract/schedules.ts'
import { refuse } from '../../platform/errors.ts'
import { serve } from '../../platform/http/routes.ts'
import type { Scope } from '../../platform/scope.ts'
import { hoursOf } from '../businessHours/businessHours.queries.ts'
import {
  addSchedule,
  addSchedules,
  changeSchedule,
  removeSchedule,
  removeSchedules,
} from './schedules.actions.ts'
import { resendSchedule } from './schedules.outcome.actions.ts'
import { findSchedule, listSchedules } from './schedules.queries.ts'

export const routes = [
  serve(schedules.list, (scope, { query }) => scope.list(tx => listSchedules(tx, query))),
  serve(schedules.show, (scope, { params }) => scope.read(tx => findSchedule(tx, params.scheduleId))),
  serve(schedules.create, (scope, { params, body, files }) => {
    own(scope, params.companyId)
    return addSchedule(scope, body, files)
  }),
  serve(schedules.createSeveral, async (scope, { params, body, files }) => {
    own(scope, params.companyId)
    return { planned: await addSchedules(scope, body, files) }
  }),
  serve(schedules.calendar, scope => scope.read(async tx => workCalendarOf(await hoursOf(tx)))),
  serve(schedules.change, (scope, { params, body, files }) => {
    own(scope, params.companyId)
    return changeSchedule(scope, params.scheduleId, body, files)
  }),
  serve(schedules.remove, async (scope, { params, query }) => {
    await removeSchedule(scope, params.scheduleId, query.whole)
    return {}
  }),
  serve(schedules.removeMany, async (scope, { body }) => ({
    deleted: await removeSchedules(scope, body.status || null, { mine: body.mySchedule ?? true }),
  })),
  serve(schedules.resend, (scope, { params }) => resendSchedule(scope, params.scheduleId)),
]

const own = (scope: Scope, companyId: number) =>
  companyId === scope.companyId || refuse('ERR_NO_COMPANY_FOUND')
