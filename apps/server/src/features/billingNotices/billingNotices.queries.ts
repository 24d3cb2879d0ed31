import { noticeHtml } from '@balcao/contract/billingNotices.rules.ts'
import type { BillingNotice, NoticePage } from '@balcao/contract/billingNotices.ts'
import { isPaid } from '@balcao/contract/invoices.rules.ts'
import type { Config } from '../../platform/config.ts'
import type { Sql } from '../../platform/db.ts'
import { refuse } from '../../platform/errors.ts'
import { onePage } from '../../platform/lists.ts'
import { and, desc, eq } from '../../platform/sql.ts'
import { payeeOf } from '../invoices/invoices.actions.ts'
import { shownInvoice } from '../invoices/invoices.queries.ts'
import { invoices } from '../invoices/invoices.table.ts'
import { billingNotices } from './billingNotices.table.ts'
import { wordsInUse } from './billingNotices.templates.ts'
import { valuesFor } from './billingNotices.words.ts'

type NoticeRow = typeof billingNotices.$inferSelect

/** What was said of the invoices of a company, the newest first. */
export async function listNotices(sql: Sql, companyId: number, pageNumber: number | undefined) {
  const { rows, hasMore } = await onePage({ pageNumber }, (limit, offset) =>
    sql
      .select()
      .from(billingNotices)
      .where(eq(billingNotices.companyId, companyId))
      .orderBy(desc(billingNotices.createdAt), desc(billingNotices.id))
      .limit(limit)
      .offset(offset),
  )
  return { notices: rows.map(shown), hasMore }
}

const shown = ({
  companyId: _company,
  contactId: _contact,
  centreId: _centre,
  ...notice
}: NoticeRow): BillingNotice => notice

/** What a notice leads to (OP-123). Refuses with ERR_NOT_FOUND. */
export async function openNotice(
  sql: Sql,
  config: Config,
  platform: NoticeRow['platform'],
  id: string,
): Promise<NoticePage> {
  const [found] = await sql
    .select({ notice: billingNotices, invoice: invoices })
    .from(billingNotices)
    .innerJoin(
      invoices,
      and(eq(invoices.companyId, billingNotices.companyId), eq(invoices.id, billingNotices.invoiceId)),
    )
    .where(and(eq(billingNotices.id, id), eq(billingNotices.platform, platform)))
  const { notice, invoice } = found ?? refuse('ERR_NOT_FOUND')
  const values = valuesFor(config.backendUrl, notice, invoice)
  const { valueBrl, pixCode } = shownInvoice(invoice, payeeOf(config))
  const words = platform === 'wpp' ? await wordsInUse(sql) : null
  return {
    urlRedirect: isPaid(invoice) ? '' : invoice.paymentLink,
    description: values.description,
    ...{ valueBrl, pixCode, dueDate: invoice.dueDate, status: invoice.status },
    thumbnailHtml: words ? noticeHtml(words.thumbnailWpHtml, values) : '',
  }
}
