import type { Forecast } from '@balcao/contract/campaignPeople.ts'
import type {
  Campaign,
  CampaignAction,
  CampaignChange,
  CampaignDispatch,
  CampaignInput,
  DispatchStatus,
  FollowUp,
} from '@balcao/contract/campaignShapes.ts'
import { campaigns } from '@balcao/contract/campaigns.ts'
import type { Seen } from '@balcao/contract/edits.rules.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { ApiError, call } from '../../platform/call.ts'
import { pagedList } from '../../platform/lists.ts'
import { askAgain, queryClient } from '../../platform/query.ts'
import { language } from '../../platform/text.ts'
import { CAMPAIGNS, campaignKey, DISPATCHES, FORECASTS } from './campaigns.live.ts'

export const campaignList = pagedList(campaigns.list, 'campaigns')

export const oneCampaign = (campaignId: number) =>
  queryOptions({
    queryKey: campaignKey(campaignId),
    queryFn: async (): Promise<Campaign> => (await call(campaigns.show, { params: { campaignId } })).campaign,
    staleTime: 0,
  })

export type Narrowed = DispatchStatus | 'answered' | 'optedOut' | ''

export const dispatchList = (campaignId: number, status: Narrowed) => (words: string) =>
  pagedList(campaigns.dispatches, 'campaignDispatches', { campaignId })(words, { status })

/** Failures by reason and answers by button; refetched when their counts change. */
export const reportOf = ({ id, counts }: Campaign) =>
  queryOptions({
    queryKey: ['campaignReport', id, counts.failed, counts.answered],
    queryFn: () => call(campaigns.report, { params: { campaignId: id } }),
    placeholderData: keepPreviousData,
    enabled: counts.failed > 0 || counts.answered > 0,
  })

const FORECAST_MS = 60_000

/** What would happen from here on; while it runs, once a minute. */
export const forecastOf = ({ id, status, counts, campaignSetupId }: Campaign) =>
  queryOptions({
    queryKey: [...FORECASTS, id, status, counts.total, campaignSetupId],
    queryFn: () => call(campaigns.forecast, { params: { campaignId: id } }),
    staleTime: 0,
    refetchInterval: FORECAST_MS,
    enabled: status !== 'finalized' && campaignSetupId !== null,
  })

/** What the start refuses with too, and says why. */
const REFUSED: unknown[] = ['ERR_CAMPAIGN_NO_SETUP', 'ERR_NOT_FOUND']

/** The forecast, where a placeholder leaves people out. */
export async function lackingIn(campaign: Campaign): Promise<Forecast | null> {
  const forecast = await queryClient.fetchQuery(forecastOf(campaign)).catch((error: unknown) => {
    if (error instanceof ApiError && REFUSED.includes(error.code)) return null
    throw error
  })
  return forecast && forecast.missing > 0 ? forecast : null
}

export const campaignPreview = (campaignId: number) =>
  queryOptions({
    queryKey: ['campaignPreview', campaignId],
    queryFn: () => call(campaigns.preview, { params: { campaignId } }),
    staleTime: 0,
    gcTime: 0,
  })

/** The campaign that a conversation answers; fetched when the conversation is opened. */
export const campaignOfTicket = (ticketId: number) =>
  queryOptions({
    queryKey: ['campaignOfTicket', ticketId],
    queryFn: async () => (await call(campaigns.ofTicket, { params: { ticketId } })).campaign,
    staleTime: 0,
  })

export const contactsOfCategories = (categoryIds: number[]) =>
  queryOptions({
    queryKey: ['campaignContacts', 'categories', categoryIds],
    queryFn: async () =>
      (await call(campaigns.contactsAll, { query: { selectedContactCategories: categoryIds } })).contacts
        .length,
    enabled: categoryIds.length > 0,
    staleTime: 0,
  })

export const contactsOfTags = (tags: number[], dateInitial: string, dateFinal: string) =>
  queryOptions({
    queryKey: ['campaignContacts', 'tags', tags, dateInitial, dateFinal],
    queryFn: async () =>
      (await call(campaigns.tagContacts, { query: { tags, dateInitial, dateFinal } })).uniqueContacts.length,
    enabled: tags.length > 0,
    staleTime: 0,
  })

type Whole = z.input<typeof CampaignInput>

/** Creates a whole campaign in one call, as the viewer's own. Throws ApiError. */
export const makeCampaign = (setupId: string, campaign: Whole, files: File[]): Promise<Campaign> =>
  call(campaigns.createOwn, {
    // multipart, as documented
    body: { campaign: JSON.stringify({ ...campaign, campaignSetupId: setupId }) },
    files: { messageMedias: files },
  })

type Change = Partial<z.input<typeof CampaignChange>>

/** Throws ApiError. */
export async function changeCampaign(
  campaignId: number,
  change: Change,
  files: File[] = [],
  seen?: Seen,
): Promise<Campaign> {
  const params = { campaignId }
  const campaign = await (files.length > 0
    ? call(campaigns.change, {
        params,
        seen,
        body: { body: JSON.stringify(change) },
        files: { messageMedias: files },
      })
    : call(campaigns.change, { params, body: change, seen }))
  queryClient.setQueryData(campaignKey(campaignId), campaign)
  return campaign
}

type People = z.input<(typeof campaigns.addRecipients)['body']>

/** Throws ApiError. */
export const addPeople = (campaignId: number, people: People) =>
  call(campaigns.addRecipients, { params: { campaignId }, body: people })

/** How many are added and left out. */
export const peopleCount = (people: People) =>
  queryOptions({
    queryKey: ['campaignContacts', 'counted', people],
    queryFn: () => call(campaigns.countRecipients, { body: people }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

/** A campaign for some people of a finished one; the same until it is started. Throws ApiError. */
export const followUp = (campaignId: number, whom: FollowUp): Promise<Campaign> =>
  call(campaigns.followUp, { params: { campaignId }, body: { whom } })

/** Corrects a person, who then waits anew. Throws ApiError. */
export async function mendDispatch(
  { id, campaignId }: CampaignDispatch,
  body: { number: string; name: string },
): Promise<void> {
  const campaign = await call(campaigns.mendDispatch, { params: { dispatchId: id }, body })
  queryClient.setQueryData(campaignKey(campaignId), campaign)
  await askAgain({ queryKey: DISPATCHES })
}

/** Starts, pauses or finalizes; answers it with the status from before a start. Throws ApiError. */
export async function processCampaign(campaignId: number, action: CampaignAction): Promise<Campaign> {
  const campaign = await call(campaigns.process, { params: { campaignId, action } })
  await askAgain({ queryKey: campaignKey(campaignId) })
  return campaign
}

/** Throws ApiError. */
export async function removeCampaign(campaignId: number): Promise<void> {
  await call(campaigns.remove, { params: { campaignId } })
  await askAgain({ queryKey: CAMPAIGNS })
}

/** Throws ApiError. */
export async function removeDispatch(campaignId: number, dispatchId: number): Promise<void> {
  await call(campaigns.removeDispatch, { params: { dispatchId } })
  await Promise.all([askAgain({ queryKey: DISPATCHES }), askAgain({ queryKey: campaignKey(campaignId) })])
}

/** Throws ApiError. */
export const tryCampaign = (campaignId: number, number: string) =>
  call(campaigns.test, { params: { campaignId }, body: { number } })

export const campaignExport = (campaignId: number) => () =>
  call(campaigns.export, { params: { campaignId }, query: { language: language() } })
export const campaignTemplate = () => call(campaigns.template)
