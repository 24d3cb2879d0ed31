import type { Seen } from '@balcao/contract/edits.rules.ts'
import {
  type Schedule,
  type ScheduleFields,
  type SeveralFields,
  schedules,
} from '@balcao/contract/schedules.ts'
import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { call } from '../../platform/call.ts'
import { oneRow, pagedList } from '../../platform/lists.ts'
import { notify } from '../../platform/notify.tsx'
import { askAgain } from '../../platform/query.ts'
import { SCHEDULES } from './schedules.live.ts'
import { useScheduleText } from './schedules.text.ts'

export const scheduleList = pagedList(schedules.list, 'schedules')

export const oneSchedule = oneRow('schedules', scheduleId => call(schedules.show, { params: { scheduleId } }))

/** The next pending schedules of a contact, by time. */
export const pendingOptions = (contactId: number) =>
  queryOptions({
    queryKey: [...SCHEDULES, 'pending', contactId],
    queryFn: () => call(schedules.list, { query: { contactId, status: 'PENDENTE' } }),
    staleTime: 0,
  })

type Fields = z.input<typeof ScheduleFields>

const formOf = <F extends object>(fields: F, file: File | null) =>
  file
    ? { body: { body: JSON.stringify(fields), mediaName: file.name }, files: { media: file } }
    : { body: fields }

/** Plans one, or changes one, with its file where another was chosen. Throws ApiError. */
export async function saveSchedule(
  schedule: Pick<Schedule, 'id'> | null,
  companyId: number,
  fields: Fields,
  file: File | null,
  seen?: Seen,
): Promise<void> {
  const given = formOf(fields, file)
  await (schedule
    ? call(schedules.change, { params: { scheduleId: schedule.id, companyId }, ...given, seen })
    : call(schedules.create, { params: { companyId }, ...given }))
  await askAgain({ queryKey: SCHEDULES })
}

/** Plans the same for several contacts. Throws ApiError. */
export async function saveSchedules(
  companyId: number,
  fields: z.input<typeof SeveralFields>,
  file: File | null,
): Promise<void> {
  const { planned } = await call(schedules.createSeveral, { params: { companyId }, ...formOf(fields, file) })
  notify.info(useScheduleText.read('planned', { count: planned }))
  await askAgain({ queryKey: SCHEDULES })
}

/** The working days of the company. */
export const workCalendar = queryOptions({
  queryKey: [...SCHEDULES, 'calendar'],
  queryFn: () => call(schedules.calendar),
  staleTime: 60_000,
})

/** Throws ApiError. */
export async function removeSchedule(scheduleId: number, whole: boolean): Promise<void> {
  await call(schedules.remove, { params: { scheduleId }, query: { whole } })
  await askAgain({ queryKey: SCHEDULES })
}

/** The viewer's own, or those of all users; with a status only those that have it. Throws ApiError. */
export async function removeSchedules(mine: boolean, sent: boolean): Promise<void> {
  await call(schedules.removeMany, { body: { mySchedule: mine, ...(sent && { status: 'ENVIADA' }) } })
  await askAgain({ queryKey: SCHEDULES })
}

/** Throws ApiError. */
export async function resendSchedule(scheduleId: number): Promise<void> {
  await call(schedules.resend, { params: { scheduleId } })
  await askAgain({ queryKey: SCHEDULES })
}
