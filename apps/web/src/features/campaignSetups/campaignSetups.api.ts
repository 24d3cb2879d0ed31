import { type CampaignSetupInput, campaignSetups } from '@balcao/contract/campaignSetups.ts'
import type { Seen } from '@balcao/contract/edits.rules.ts'
import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { call } from '../../platform/call.ts'
import { pagedList } from '../../platform/lists.ts'
import { askAgain } from '../../platform/query.ts'
import { CAMPAIGN_SETUPS } from './campaignSetups.live.ts'

export const setupList = pagedList(campaignSetups.list, 'campaignSetups')

export const oneSetup = (setupId: string) =>
  queryOptions({
    queryKey: [...CAMPAIGN_SETUPS, 'one', setupId],
    queryFn: () => call(campaignSetups.show, { params: { setupId } }),
    staleTime: 0,
    gcTime: 0,
  })

/** What its webhook is signed with; for admins. */
export const setupSecret = (setupId: string) =>
  queryOptions({
    queryKey: [...CAMPAIGN_SETUPS, 'secret', setupId],
    queryFn: () => call(campaignSetups.showSecret, { params: { setupId } }),
    gcTime: 0,
  })

const again = () => askAgain({ queryKey: CAMPAIGN_SETUPS })

/** Adds one, or changes one. Throws ApiError. */
export async function saveSetup(
  setupId: string | null,
  body: z.input<typeof CampaignSetupInput>,
  seen?: Seen,
): Promise<void> {
  await (setupId === null
    ? call(campaignSetups.create, { body })
    : call(campaignSetups.change, { params: { setupId }, body, seen }))
  await again()
}

/** Throws ApiError. */
export async function removeSetup(setupId: string): Promise<void> {
  await call(campaignSetups.remove, { params: { setupId } })
  await again()
}
