import {
  type NoticeKind,
  type NoticePlatform,
  type NoticeValues,
  noticeHtml,
  noticeText,
  valuesOfNotice,
} from '@balcao/contract/billingNotices.rules.ts'
import { brl } from '@balcao/contract/plans.rules.ts'
import type { Letter } from '../../platform/mail.letter.ts'
import type { InvoiceRow } from '../invoices/invoices.queries.ts'
import type { TemplateWords } from './billingNotices.templates.ts'

/** The page of a notice; whoever has its address sees what is owed, so it cannot be guessed. */
const pageOf = (origin: string, platform: NoticePlatform, noticeId: string) =>
  origin && `${origin}/n/${platform}/${noticeId}`

type NoticeInvoice = Pick<InvoiceRow, 'startInvoicePeriod' | 'endInvoicePeriod' | 'dueDate' | 'value'>

/** What fills the places of a template. */
export const valuesFor = (
  origin: string,
  { id, kind, contactName }: { id: string; kind: NoticeKind; contactName: string },
  { value, ...invoice }: NoticeInvoice,
): NoticeValues =>
  valuesOfNotice(
    kind,
    contactName,
    { ...invoice, valueBrl: brl(value) },
    { notificationWppUrl: pageOf(origin, 'wpp', id), notificationEmailUrl: pageOf(origin, 'email', id) },
  )

/** As a letter. Programs that show no HTML get the words of WhatsApp, with the address of the letter. */
export function noticeLetter(words: TemplateWords, values: NoticeValues): Letter {
  const plain = { ...values, notificationWppUrl: values.notificationEmailUrl }
  return {
    language: 'ptBR',
    // an address line is one line, whatever stands in it
    subject: noticeText(words.emailTitle, values).replaceAll(/\s+/g, ' '),
    ...{ before: [], button: null, after: [] },
    own: { html: noticeHtml(words.emailHtml, values), text: noticeText(words.textWp, plain) },
  }
}
