import { billing, type PlanChange, type SubscriptionDays } from '@balcao/contract/billing.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { call } from '../../platform/call.ts'
import { askAgain, queryClient } from '../../platform/query.ts'
import { oneClient } from '../companies/companies.api.ts'
import { PLANS } from '../plans/plans.keys.ts'

/** First part of the cache keys of subscriptions. */
export const BILLING = ['billing']

const of = (companyId: number) => ({ params: { companyId } })

/** How a company is billed, and what comes next. */
export const companySubscription = (companyId: number) =>
  queryOptions({
    queryKey: [...BILLING, companyId],
    queryFn: () => call(billing.show, of(companyId)),
    staleTime: 0,
  })

/** What a change of plan costs: asked anew each time, since it depends on the day. */
export const quoteOf = (companyId: number, query: z.input<typeof PlanChange> | null) =>
  queryOptions({
    queryKey: [...BILLING, companyId, 'quote', query],
    queryFn: () => call(billing.quote, { ...of(companyId), query: query! }),
    enabled: query !== null,
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  })

type Changed = Awaited<ReturnType<typeof call<typeof billing.show>>>

const keep = (saved: Changed) =>
  queryClient.setQueryData(companySubscription(saved.companyId).queryKey, saved)

/** Throws ApiError. */
export async function changePlan(
  companyId: number,
  body: z.input<typeof PlanChange> & { due: number },
): Promise<void> {
  keep(await call(billing.changePlan, { ...of(companyId), body }))
  // its limits follow the plan
  await Promise.all([askAgain({ queryKey: PLANS }), askAgain({ queryKey: oneClient(companyId).queryKey })])
}

/** Withdraws a change that waits for its day. Throws ApiError. */
export async function keepPlan(companyId: number): Promise<void> {
  keep(await call(billing.keepPlan, of(companyId)))
}

/** The plan is billed from now on, after a trial that let the company rest. Throws ApiError. */
export async function takeUpPlan(companyId: number): Promise<void> {
  keep(await call(billing.takeUp, of(companyId)))
}

/** From when on a company is billed, and the end of its trial. Throws ApiError. */
export async function changeDays(companyId: number, body: z.input<typeof SubscriptionDays>): Promise<void> {
  keep(await call(billing.change, { ...of(companyId), body }))
}

/** The invoices that a first day makes at once. */
export const startOf = (companyId: number, billedFrom: string) =>
  queryOptions({
    queryKey: [...BILLING, companyId, 'start', billedFrom],
    queryFn: () => call(billing.start, { ...of(companyId), query: { billedFrom } }),
    enabled: /^\d{4}-\d\d-\d\d$/.test(billedFrom),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  })

/** Ends the subscription at the end of what is paid. Throws ApiError. */
export async function endSubscription(companyId: number, reason: string): Promise<void> {
  keep(await call(billing.end, { ...of(companyId), body: { reason } }))
}

/** Withdraws the end that has not come yet. Throws ApiError. */
export async function goOn(companyId: number): Promise<void> {
  keep(await call(billing.goOn, of(companyId)))
}

/** Throws ApiError. */
export async function pauseBilling(
  companyId: number,
  body: { from: string; until: string | null; reason: string; restsService: boolean },
): Promise<void> {
  keep(await call(billing.pause, { ...of(companyId), body }))
}

/** Throws ApiError. */
export async function resumeBilling(
  { companyId, pauseId }: { companyId: number; pauseId: number },
  until: string,
): Promise<void> {
  keep(await call(billing.resume, { params: { companyId, pauseId }, body: { until } }))
}
