import { type RevenueInvoiceFilter, revenue } from '@balcao/contract/revenue.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'
import { pagedList } from '../../platform/lists.ts'
import { INVOICES } from './invoices.live.ts'

export type InvoiceFilter = RevenueInvoiceFilter

const all = pagedList(revenue.invoices, 'rows', undefined, INVOICES)

/** Invoices of all companies, the latest due date first. */
export const invoicesOfAll = (filter: InvoiceFilter) => (text: string) => all(text, filter)

/** What they add up to. */
export const totalsOfAll = (filter: InvoiceFilter) =>
  queryOptions({
    queryKey: [INVOICES, 'totals', filter],
    queryFn: () => call(revenue.invoiceTotals, { query: filter }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
