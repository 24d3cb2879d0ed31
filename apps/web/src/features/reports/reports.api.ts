import { cloud } from '@balcao/contract/cloud.ts'
import { type ReferredTicket, referrals } from '@balcao/contract/referrals.ts'
import { rangeFault } from '@balcao/contract/reports.rules.ts'
import { type ReportBehind, type ReportTargets, reports } from '@balcao/contract/reports.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { bytesOptions, saveBytes } from '../../platform/bytes.ts'
import { call } from '../../platform/call.ts'
import { notify } from '../../platform/notify.tsx'
import { queryClient } from '../../platform/query.ts'
import { language } from '../../platform/text.ts'
import { clock, momentAt } from '../../platform/time.ts'

/**
 * Parameters of a report; times as the company's clock shows them, null for the server's own beginning or
 * end.
 */
export interface Wanted {
  from: string | null
  until: string | null
  queueIds: number[]
  userIds: number[]
}

const SHOWN = 'YYYY-MM-DDTHH:mm'

/** The start of the month up to now, all users (DASH-002, REPORT-006). */
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

/** The parameters of a call. */
export const askedOf = (wanted: Wanted) => ({
  ...rangeIn(wanted),
  selectedQueueIds: wanted.queueIds,
  selectedUserIds: wanted.userIds,
})

/** Of a report that knows no queues. */
export const peopleIn = (wanted: Wanted) => ({ ...rangeIn(wanted), selectedUserIds: wanted.userIds })

const REPORTS = ['reports']
/** Figures change: each request fetches new ones. */
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
    queryFn: async () => (await call(reports.attendances, { query: askedOf(wanted) })).reportData,
    ...fresh,
  })

export const servicesFor = (wanted: Wanted) =>
  queryOptions({
    queryKey: [...REPORTS, 'services', wanted],
    queryFn: () => call(tickets.query, { query: askedOf(wanted) }),
    ...fresh,
  })

export const hoursFor = (wanted: Wanted) =>
  queryOptions({
    queryKey: [...REPORTS, 'hours', wanted],
    queryFn: async () => call(reports.hours, { query: askedOf(wanted) }),
    ...fresh,
  })

export const reasonsFor = (wanted: Wanted) =>
  queryOptions({
    queryKey: [...REPORTS, 'reasons', wanted],
    queryFn: () => call(reports.reasons, { query: askedOf(wanted) }),
    ...fresh,
  })

/** Asks again for everything of the report that is shown: its parts are of one moment. */
export const refreshReports = () => void queryClient.invalidateQueries({ queryKey: REPORTS })

const ONLINE_MS = 30_000

export const onlineUsers = queryOptions({
  queryKey: [...REPORTS, 'online'],
  queryFn: () => call(reports.online),
  refetchInterval: ONLINE_MS,
  ...fresh,
})

export const ownTargets = queryOptions({
  queryKey: [...REPORTS, 'targets'],
  queryFn: () => call(reports.targets),
  // parts of the page ask for it one after the other
  staleTime: 5_000,
})

export const ownMail = queryOptions({
  queryKey: [...REPORTS, 'mail'],
  queryFn: () => call(reports.showMail),
  staleTime: 0,
})

/** Throws ApiError. */
export async function receiveMail({
  queueIds,
  userIds,
}: Pick<Wanted, 'queueIds' | 'userIds'>): Promise<void> {
  const body = { selectedQueueIds: queueIds, selectedUserIds: userIds, language: language() }
  queryClient.setQueryData(ownMail.queryKey, await call(reports.changeMail, { body }))
}

/** By the link of a letter, without a session. Throws ApiError. */
export const endMail = (token: string) => call(reports.endMail, { body: { token } })

/** Throws ApiError. */
export async function stopMail(): Promise<void> {
  await call(reports.stopMail)
  await queryClient.invalidateQueries({ queryKey: ownMail.queryKey })
}

/** Throws ApiError. */
export async function changeTargets(targets: ReportTargets, seen: ReportTargets): Promise<void> {
  queryClient.setQueryData(ownTargets.queryKey, await call(reports.changeTargets, { body: targets, seen }))
}

/** Narrows a report down to one of its figures. */
export type NarrowedReport = Pick<ReportBehind, 'userId' | 'queueId' | 'whatsappId' | 'tagId' | 'reasonId'>

/** The closings behind a figure, newest first. */
export const closingsFor = (wanted: Wanted, narrowed: NarrowedReport) =>
  infiniteQueryOptions({
    queryKey: [...REPORTS, 'closings', wanted, narrowed],
    queryFn: ({ pageParam, signal }) =>
      call(reports.services, { query: { ...askedOf(wanted), ...narrowed, pageNumber: pageParam }, signal }),
    initialPageParam: 1,
    getNextPageParam: (last, _all, page) => (last.hasMore ? page + 1 : undefined),
    staleTime: 0,
  })

/** Which ads, posts and products brought tickets. */
export const referralsFor = (wanted: Wanted) =>
  queryOptions({
    queryKey: [...REPORTS, 'referrals', wanted],
    queryFn: async () => (await call(referrals.list, { query: askedOf(wanted) })).sources,
    ...fresh,
  })

/** The tickets of one of them, newest first. */
export const referredFor = (wanted: Wanted, key: string, status: ReferredTicket['status'] | undefined) =>
  infiniteQueryOptions({
    queryKey: [...REPORTS, 'referred', wanted, key, status],
    queryFn: ({ pageParam, signal }) =>
      call(referrals.tickets, {
        query: { ...askedOf(wanted), key, ...(status && { status }), pageNumber: pageParam },
        signal,
      }),
    initialPageParam: 1,
    getNextPageParam: (last, _all, page) => (last.hasMore ? page + 1 : undefined),
    staleTime: 0,
  })

/** What Meta charges for, by month, connection and category. */
export const pricesFor = (wanted: Wanted) =>
  queryOptions({
    queryKey: [...REPORTS, 'prices', wanted],
    queryFn: async () => (await call(cloud.prices, { query: rangeIn(wanted) })).sums,
    ...fresh,
  })

interface File {
  what: 'figures' | 'services' | 'reasons'
  format: 'xlsx' | 'csv'
}

/** Saves the report as a file; reports a failure. */
export async function saveReport(wanted: Wanted, file: File, name: string): Promise<void> {
  try {
    const query = { ...askedOf(wanted), ...file, language: language() }
    const { url } = await call(reports.export, { query })
    saveBytes(await queryClient.fetchQuery(bytesOptions(url)), `${name}.${file.format}`)
  } catch (error) {
    notify.failed(error)
  }
}
