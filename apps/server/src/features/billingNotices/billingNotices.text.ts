import {
  type NoticeKind,
  type NoticePlatform,
  type NoticeValues,
  noticeHtml,
  noticeText,
  valuesOfNotice,
} from '@balcao/contract/billingNotices.rules.ts'
import { brl } from '@balcao/contract/plans.rules.ts'
import type { Letter } from '../../platform/outbound/letter.ts'
import type { InvoiceRow } from '../invoices/invoices.queries.ts'
import type { TemplateTexts } from './billingNotices.templates.queries.ts'

/** The page of a notice. It needs no login, so its address cannot be guessed. */
const pageOf = (origin: string, platform: NoticePlatform, noticeId: string) =>
  origin && `${origin}/n/${platform}/${noticeId}`

/** The subject of a notice: an invoice, or the end of a trial as if it were the day of one. */
export type NoticeInvoice = Pick<
  InvoiceRow,
  'startInvoicePeriod' | 'endInvoicePeriod' | 'dueDate' | 'value' | 'paidValue'
> &
  Partial<Pick<InvoiceRow, 'description'>>

export const trialWords = ({ end, value }: { end: string; value: number }): NoticeInvoice => ({
  ...{ startInvoicePeriod: end, endInvoicePeriod: end, dueDate: end, value, paidValue: 0 },
})

/** The values of a template's placeholders; the sum is what is still owed, or the whole of a paid invoice. */
export const valuesFor = (
  origin: string,
  { id, kind, contactName }: { id: string; kind: NoticeKind; contactName: string },
  { value, paidValue, ...invoice }: NoticeInvoice,
): NoticeValues =>
  valuesOfNotice(
    kind,
    contactName,
    { ...invoice, valueBrl: brl(value - paidValue || value) },
    { notificationWppUrl: pageOf(origin, 'wpp', id), notificationEmailUrl: pageOf(origin, 'email', id) },
  )

/** As a letter. Programs that show no HTML get the texts of WhatsApp, with the address of the letter. */
export function noticeLetter(texts: TemplateTexts, values: NoticeValues): Letter {
  const plain = { ...values, notificationWppUrl: values.notificationEmailUrl }
  return {
    language: 'ptBR',
    // a subject is one line, whatever the template holds
    subject: noticeText(texts.emailTitle, values).replaceAll(/\s+/g, ' '),
    ...{ before: [], button: null, after: [] },
    own: { html: noticeHtml(texts.emailHtml, values), text: noticeText(texts.textWp, plain) },
  }
}
