import type { PageQuery } from '@balcao/contract/kit.ts'
import type { CompanyInvoice, Receipt, RevenueInvoiceFilter } from '@balcao/contract/revenue.ts'
import { keyedPage, pageKeysOf } from '../../platform/lists/page-keys.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import type { PlatformScope } from '../../platform/scope.ts'
import { shownInvoice } from '../invoices/invoices.queries.ts'
import { type InvoicePlace, invoicesAfter } from './revenue.invoices.queries.ts'
import { type ReceiptPlace, type ReceiptsAsked, receiptsAfter } from './revenue.receipts.queries.ts'

const invoiceKeys = pageKeysOf<InvoicePlace>()
const receiptKeys = pageKeysOf<ReceiptPlace>()

type Paged = Pick<PageQuery, 'pageNumber'>

/** Invoices of all companies, a page at a time. */
export async function listCompanyInvoices(
  { memory }: Pick<PlatformScope, 'memory'>,
  sql: Sql,
  filter: RevenueInvoiceFilter,
  paged: Paged,
): Promise<{ rows: CompanyInvoice[]; hasMore: boolean }> {
  const { month, part, companyId, planName, kind } = filter
  const list = JSON.stringify([month, part, companyId, planName, kind])
  const { rows, hasMore } = await keyedPage(invoiceKeys({ memory }), list, paged, {
    read: start => invoicesAfter(sql, filter, start),
    keyOf: ({ invoice: { dueDate, id } }): InvoicePlace => ({ dueDate, id }),
  })
  return {
    rows: rows.map(({ invoice, companyName, planName }) => ({
      ...shownInvoice(invoice, null),
      ...{ companyName, planName },
    })),
    hasMore,
  }
}

/** Receipts of a month, a page at a time. */
export const listReceipts = (
  { memory }: Pick<PlatformScope, 'memory'>,
  sql: Sql,
  asked: ReceiptsAsked,
  paged: Paged,
): Promise<{ rows: Receipt[]; hasMore: boolean }> =>
  keyedPage(receiptKeys({ memory }), JSON.stringify([asked.month, asked.kind]), paged, {
    read: start => receiptsAfter(sql, asked, start),
    keyOf: ({ day, kind, rowId }): ReceiptPlace => ({ day, kind, rowId }),
  })
