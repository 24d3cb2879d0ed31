import type { Seen } from '@balcao/contract/edits.rules.ts'
import { type IntegrationInput, integrations } from '@balcao/contract/integrations.ts'
import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { call } from '../../platform/call.ts'
import { oneRow, pagedList } from '../../platform/lists.ts'
import { askAgain } from '../../platform/query.ts'

const INTEGRATIONS = ['integrations']

export const integrationList = pagedList(integrations.list, 'integrations')

export const oneIntegration = oneRow('integrations', integrationId =>
  call(integrations.show, { params: { integrationId } }),
)

/** Adds one, or changes one. Throws ApiError. */
export async function saveIntegration(
  integrationId: number | null,
  body: z.input<typeof IntegrationInput>,
  seen?: Seen,
): Promise<void> {
  await (integrationId === null
    ? call(integrations.create, { body })
    : call(integrations.change, { params: { integrationId }, body, seen }))
  await askAgain({ queryKey: INTEGRATIONS })
}

/** Throws ApiError. */
export async function removeIntegration(integrationId: number): Promise<void> {
  await call(integrations.remove, { params: { integrationId } })
  await askAgain({ queryKey: INTEGRATIONS })
}

/** Tests whether an address answers; never cached. */
export const integrationTest = (integrationId: number) =>
  queryOptions({
    queryKey: ['integrations', 'test', integrationId],
    queryFn: () => call(integrations.test, { params: { integrationId } }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
