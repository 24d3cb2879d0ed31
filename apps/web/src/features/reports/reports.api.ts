import { rangeFault } from '@balcao/contract/reports.rules.ts'
import { reports } from '@balcao/contract/reports.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'
import { clock, momentAt } from '../../platform/time.ts'

/** What a report is asked for; times as the company's clock shows them, null for the server's own beginning or end. */
export interface Wanted {
  from: string | null
  until: string | null
  queueIds: number[]
  userIds: number[]
}

const SHOWN = 'YYYY-MM-DDTHH:mm'

/** The start of the month up to now, of everybody (DASH-002, REPORT-006). */
export const thisMonth = (): Wanted => ({
  from: clock().startOf('month').format(SHOWN),
  until: clock().format(SHOWN),
  queueIds: [],
  userIds: [],
})

/** What is wrong with the range of a form, before it is sent; null when nothing is. */
export const faultOf = ({ from, until }: Wanted) =>
  from && until ? rangeFault(momentAt(from), momentAt(until)) : null

// the minute that is shown counts to its end
const rangeIn = ({ from, until }: Wanted) => ({
  ...(from && { initialDate: from }),
  ...(until && { finalDate: `${until}:59` }),
})

const chosenIn = (wanted: Wanted) => ({
  ...rangeIn(wanted),
  selectedQueueIds: wanted.queueIds,
  selectedUserIds: wanted.userIds,
})

const REPORTS = ['reports']
/** Figures move on: whoever asks again gets new ones. */
const fresh = { staleTime: 0, placeholderData: keepPreviousData }

export const dashFor = (wanted: Wanted) =>
  queryOptions({
    queryKey: [...REPORTS, 'dash', wanted],
    queryFn: async () => (await call(reports.dash, { query: rangeIn(wanted) })).reportData,
    ...fresh,
  })

export const indicatorsFor = (wanted: Wanted) =>
  queryOptions({
    queryKey: [...REPORTS, 'indicators', wanted],
    queryFn: async () => (await call(reports.attendances, { query: chosenIn(wanted) })).reportData,
    ...fresh,
  })

export const servicesFor = (wanted: Wanted) =>
  queryOptions({
    queryKey: [...REPORTS, 'services', wanted],
    queryFn: () => call(tickets.query, { query: chosenIn(wanted) }),
    ...fresh,
  })
