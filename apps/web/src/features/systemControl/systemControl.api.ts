import { type SystemAction, systemControl } from '@balcao/contract/systemControl.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'
import { pagedList } from '../../platform/lists.ts'
import { language } from '../../platform/text.ts'
import { fetchOwn } from './systemControl.docs.ts'

/** Interval of polling, and its limit (SYS-012). */
const POLL_MS = 2_500
const POLLS = 100

const act = (action: SystemAction) => call(systemControl.act, { body: { action } })

const polled = {
  staleTime: 0,
  refetchInterval: ({ state }: { state: { dataUpdateCount: number; errorUpdateCount: number } }) =>
    state.dataUpdateCount + state.errorUpdateCount < POLLS ? POLL_MS : (false as const),
}

export const processList = queryOptions({
  queryKey: ['systemControl', 'processes'],
  queryFn: async () => (await act('getPm2Info')).pm2Info ?? [],
  ...polled,
})

export const resources = queryOptions({
  queryKey: ['systemControl', 'resources'],
  queryFn: async () => (await act('getSystemResources')).systemInfo!,
  ...polled,
})

export const jobQueues = queryOptions({
  queryKey: ['systemControl', 'queues'],
  queryFn: () => call(systemControl.queues),
  ...polled,
})

export const serverList = queryOptions({
  queryKey: ['systemControl', 'servers'],
  queryFn: () => call(systemControl.servers),
  ...polled,
})

export const overview = queryOptions({
  queryKey: ['systemControl', 'overview'],
  queryFn: () => call(systemControl.overview),
  staleTime: 0,
})

export const companySizes = pagedList(systemControl.companies, 'companies', undefined, 'companySizes')

export const internalDocs = queryOptions({
  queryKey: ['systemControl', 'docs'],
  queryFn: fetchOwn,
  staleTime: Number.POSITIVE_INFINITY,
})

export const restart = () => act('restart')
export const update = () => act('update')
export const adjustDb = () => call(systemControl.adjustDb)
export const sendTestMail = () => call(systemControl.testMail, { body: { language: language() } })
export const retryFailed = (name: string) => call(systemControl.retryFailed, { params: { name } })
