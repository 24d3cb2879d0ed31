import type { LeadState, LeadStep, RevenueMove, SubscriberState } from '@balcao/contract/revenue.rules.ts'
import { type ReceiptFilter, type RevenueInvoiceFilter, revenue } from '@balcao/contract/revenue.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'
import { pagedList } from '../../platform/lists.ts'
import { language } from '../../platform/text.ts'
import { saveMade } from '../contactSheets/contactSheets.api.ts'

const REVENUE = 'revenue'
/** Figures change: each request fetches new ones. */
const fresh = { staleTime: 0, placeholderData: keepPreviousData }

export const revenueMonths = queryOptions({
  queryKey: [REVENUE, 'months'],
  queryFn: async () => (await call(revenue.months)).months,
  ...fresh,
})

export const planShares = queryOptions({
  queryKey: [REVENUE, 'plans'],
  queryFn: () => call(revenue.plans),
  ...fresh,
})

export const leadFunnel = queryOptions({
  queryKey: [REVENUE, 'funnel'],
  queryFn: async () => (await call(revenue.funnel)).months,
  ...fresh,
})

const rows = pagedList(revenue.rows, 'rows', undefined, 'revenueRows')
const subscribers = pagedList(revenue.subscribers, 'rows', undefined, 'subscribers')
const leads = pagedList(revenue.leads, 'rows', undefined, 'revenueLeads')
const receipts = pagedList(revenue.receipts, 'rows', undefined, 'revenueReceipts')

/** The companies behind a figure of a month. */
export const rowsBehind = (asked: { month: string; move?: RevenueMove }) => (text: string) =>
  rows(text, asked)

/** Companies with their state today. */
export const subscribersWith =
  (asked: { planName?: string; state?: SubscriberState; ending?: 'soon' }) => (text: string) =>
    subscribers(text, asked)

export const leadsWith =
  (asked: { month?: string; state?: LeadState; reached?: LeadStep }) => (text: string) =>
    leads(text, asked)

export const receiptsWith = (asked: ReceiptFilter) => (text: string) => receipts(text, asked)

export type Decimals = 'comma' | 'point'

/** Saves the receipts of a month as CSV; reports a failure. */
export const saveReceipts = (filter: ReceiptFilter, decimals: Decimals): Promise<void> =>
  saveMade(() => call(revenue.exportReceipts, { query: { ...filter, ...sheet(decimals) } }))

/** The same of the invoices of a month. */
export const saveInvoices = (
  filter: RevenueInvoiceFilter & { month: string },
  decimals: Decimals,
): Promise<void> => saveMade(() => call(revenue.exportInvoices, { query: { ...filter, ...sheet(decimals) } }))

const sheet = (decimals: Decimals) => ({ decimals, language: language() })
