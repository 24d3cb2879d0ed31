import { isBilled } from '@balcao/contract/invoices.rules.ts'
import { isPriced } from '@balcao/contract/plans.rules.ts'
import type { Plan, PlanInput } from '@balcao/contract/plans.ts'
import { clock } from '../../platform/time.ts'

export const prices = ['value1Month', 'value3Months', 'value6Months', 'value12Months'] as const

/** What a plan has or has not. */
export const abilities = [
  ...(['iaIntegrationEnabled', 'enableReports', 'enableDashboard', 'enableCampaigns'] as const),
  ...(['enableSchedules', 'enableApi', 'enableBots', 'enableFlows'] as const),
]

/** Form values of a plan; a new one has the documented defaults. */
export const planValues = (plan: Plan | null) => ({
  name: plan?.name ?? '',
  slogan: plan?.slogan ?? '',
  description: plan?.description ?? '',
  numberAttendants: plan?.numberAttendants ?? 1,
  numberConnections: plan?.numberConnections ?? 1,
  storageLimitMb: plan?.storageLimitMb ?? 0,
  value1Month: plan?.value1Month ?? 0,
  value3Months: plan?.value3Months ?? 0,
  value6Months: plan?.value6Months ?? 0,
  value12Months: plan?.value12Months ?? 0,
  recurrence: plan?.recurrence ?? ('month1' as const),
  billingType: plan?.billingType ?? ('PIX' as const),
  automaticInvoice: plan?.automaticInvoice ?? true,
  restsAfterTrial: plan?.restsAfterTrial ?? false,
  highlighted: plan?.highlighted ?? (0 as const),
  isStandard: plan?.isStandard ?? false,
  status: plan?.status ?? true,
  iaIntegrationEnabled: plan?.iaIntegrationEnabled ?? true,
  enableReports: plan?.enableReports ?? true,
  enableDashboard: plan?.enableDashboard ?? true,
  enableCampaigns: plan?.enableCampaigns ?? false,
  enableSchedules: plan?.enableSchedules ?? true,
  enableApi: plan?.enableApi ?? true,
  enableBots: plan?.enableBots ?? true,
  enableFlows: plan?.enableFlows ?? true,
  campaignSendLimitPerHour: plan?.campaignSendLimitPerHour ?? 0,
  billedFrom: clock().format('YYYY-MM-DD'),
  /** Confirmed: it is offered without a price. */
  isFree: false,
})
export type PlanValues = ReturnType<typeof planValues>

/** Whether the form makes a company be billed that was not: then its first day is asked for. */
export const beginsBilling = (plan: Plan | null, values: Parameters<typeof isBilled>[0]) =>
  plan !== null && plan.companyId !== null && !isBilled(plan) && isBilled(values)

/** Whether the form offers a plan that costs nothing and was not offered so before: that has to be confirmed. */
export const offersForFree = (plan: Plan | null, values: Partial<PlanInput>) =>
  (plan === null || plan.companyId === null) &&
  values.status === true &&
  prices.every(field => !values[field]) &&
  !(plan?.status && !isPriced(plan))

/** What is saved of the form: the first day only where it is asked for. */
export const planChangesOf = (plan: Plan | null, { billedFrom, isFree, ...values }: PlanValues) =>
  beginsBilling(plan, values) ? { ...values, billedFrom } : values
