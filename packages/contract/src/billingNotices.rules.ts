import { daysFrom, isPaid } from './invoices.rules.ts'

/** What there is to say of an invoice. The first and the last follow from what happens to it, the others from its day. */
export const noticeKinds = [
  'invoiceCreated',
  'invoiceBefore',
  'invoiceDay',
  'delayedPayment',
  'delayedPaymentAgain',
  'invoiceConfirmedPayment',
] as const
export type NoticeKind = (typeof noticeKinds)[number]

/** The switches of a contact stand before each channel's name (OP-124): one covers what is said before the day and on it. */
export const noticeEvents = [
  'InvoiceCreated',
  'InvoiceDay',
  'DelayedPayment',
  'InvoiceConfirmedPayment',
] as const
export type NoticeEvent = (typeof noticeEvents)[number]

export const eventOf: Record<NoticeKind, NoticeEvent> = {
  invoiceCreated: 'InvoiceCreated',
  invoiceBefore: 'InvoiceDay',
  invoiceDay: 'InvoiceDay',
  delayedPayment: 'DelayedPayment',
  delayedPaymentAgain: 'DelayedPayment',
  invoiceConfirmedPayment: 'InvoiceConfirmedPayment',
}

/** How a notice goes out, as its address says it (OP-123). */
export const noticePlatforms = ['wpp', 'email'] as const
export type NoticePlatform = (typeof noticePlatforms)[number]

/** So long after its day a reminder that nothing could send still leaves; later it would only confuse. */
const STALE_DAYS = 3

interface Owed {
  dueDate: string
  status: string
}

interface Wishes {
  invoiceDaysBeforeExpiration: number
  invoiceDaysAfterExpiration: number
}

/**
 * What the day says about an invoice that is not paid: a reminder some days before it is due, one on the day, one the
 * day after, and one some days after (OP-18); 0 days is never. What was missed for days is not said any more.
 */
export function remindersOn(today: string, { dueDate, status }: Owed, wishes: Wishes): NoticeKind[] {
  if (isPaid({ status })) return []
  const { invoiceDaysBeforeExpiration: before, invoiceDaysAfterExpiration: after } = wishes
  const within = (first: string, last: string) => first <= today && today <= last
  const late = (days: number) => within(daysFrom(dueDate, days), daysFrom(dueDate, days + STALE_DAYS))
  const kinds: NoticeKind[] = []
  if (before > 0 && within(daysFrom(dueDate, -before), daysFrom(dueDate, -1))) kinds.push('invoiceBefore')
  if (today === dueDate) kinds.push('invoiceDay')
  if (late(1)) kinds.push('delayedPayment')
  // one day after is what the first says
  if (after > 1 && late(after)) kinds.push('delayedPaymentAgain')
  return kinds
}

/** Whether it may still be said when its turn comes: nobody is asked for what he paid. */
export const isStillTrue = (kind: NoticeKind, { status }: Pick<Owed, 'status'>) =>
  isPaid({ status }) === (kind === 'invoiceConfirmedPayment')

/** Hours of the day in which people are reminded, by the company's clock. */
const OPENS = 8
const CLOSES = 20

/** So many hours from `hour` until people may be reminded: 0 within the hours of the day. */
export const hoursUntilOpen = (hour: number) =>
  hour < OPENS ? OPENS - hour : hour < CLOSES ? 0 : 24 - hour + OPENS

/** What stands in the places of a template (NTPL-004). */
export const noticePlaces = [
  'contactName',
  'valueBrl',
  'dueDate',
  'description',
  'notificationWppUrl',
  'notificationEmailUrl',
] as const
export type NoticeValues = Record<(typeof noticePlaces)[number], string>

/** The text with `{{contactName}}` and its like in their places; what is none of them stays as it was written. */
export const noticeText = (template: string, values: NoticeValues): string =>
  template.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (written, name: string) =>
    Object.hasOwn(values, name) ? values[name as keyof NoticeValues] : written,
  )

const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** The same for HTML: what people are called is text wherever it stands. */
export const noticeHtml = (template: string, values: NoticeValues): string =>
  noticeText(
    template,
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        value.replaceAll(/[&<>"']/g, sign => signs[sign]!),
      ]),
    ) as NoticeValues,
  )

/** `2026-11-23` as people here write it. */
const written = (day: string) => day.split('-').toReversed().join('/')

/** What is said of an invoice, in one sentence: the place `description`. */
export function describeNotice(kind: NoticeKind, { dueDate, ...invoice }: InvoiceWords): string {
  const period = `${written(invoice.startInvoicePeriod)} a ${written(invoice.endInvoicePeriod)}`
  const due = written(dueDate)
  return {
    invoiceCreated: `A fatura do período de ${period} está disponível e vence em ${due}.`,
    invoiceBefore: `A fatura do período de ${period} vence em ${due}.`,
    invoiceDay: `A fatura do período de ${period} vence hoje, ${due}.`,
    delayedPayment: `A fatura do período de ${period} venceu em ${due} e ainda não foi paga.`,
    delayedPaymentAgain: `A fatura do período de ${period}, vencida em ${due}, continua em aberto.`,
    invoiceConfirmedPayment: `Recebemos o pagamento da fatura do período de ${period}. Obrigado!`,
  }[kind]
}

interface InvoiceWords {
  startInvoicePeriod: string
  endInvoicePeriod: string
  dueDate: string
}

/** What fills the places. Days are written as people here write them. */
export const valuesOfNotice = (
  kind: NoticeKind,
  contactName: string,
  invoice: InvoiceWords & { valueBrl: string },
  urls: Pick<NoticeValues, 'notificationWppUrl' | 'notificationEmailUrl'>,
): NoticeValues => ({
  contactName,
  valueBrl: invoice.valueBrl,
  dueDate: written(invoice.dueDate),
  description: describeNotice(kind, invoice),
  ...urls,
})

/** What goes out where the operator has written nothing, and what a new template begins with. */
export const firstTemplate = {
  name: '',
  type: 'payments' as const,
  thumbnailWpHtml: '<p><strong>{{valueBrl}}</strong></p>\n<p>{{description}}</p>',
  textWp:
    'Olá, {{contactName}}.\n\n{{description}}\n\nValor: *{{valueBrl}}*\nDetalhes e pagamento: {{notificationWppUrl}}',
  emailTitle: 'Fatura de {{valueBrl}} com vencimento em {{dueDate}}',
  emailHtml:
    '<p>Olá, {{contactName}}.</p>\n<p>{{description}}</p>\n<p>Valor: <strong>{{valueBrl}}</strong></p>\n<p><a href="{{notificationEmailUrl}}">Ver detalhes e pagar</a></p>',
}
