import { type CollectorInput, type CollectorName, collectors } from '@balcao/contract/collectors.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'
import { queryClient } from '../../platform/query.ts'

/** The payment providers, and which one collects. */
export const collectorList = queryOptions({
  queryKey: ['collectors'],
  queryFn: async () => (await call(collectors.list)).collectors,
})

/** Throws ApiError. */
export async function saveCollector(name: CollectorName, body: CollectorInput) {
  const saved = await call(collectors.save, { params: { name }, body })
  queryClient.setQueryData(collectorList.queryKey, saved.collectors)
}

/** Throws ApiError. */
export async function chooseCollector(name: CollectorName | null) {
  const saved = await call(collectors.choose, { body: { name } })
  queryClient.setQueryData(collectorList.queryKey, saved.collectors)
  await queryClient.invalidateQueries({ queryKey: ['branding'] })
}

/** Why the provider does not answer; empty where it does. Throws ApiError. */
export const testCollector = async (name: CollectorName) =>
  (await call(collectors.test, { params: { name } })).problem
