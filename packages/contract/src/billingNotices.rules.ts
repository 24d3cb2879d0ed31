import { daysFrom, isOwed, isPaid } from './invoices.rules.ts'

/** Kinds of notice. The first and the last follow from events of the invoice, the others from its due date. */
export const noticeKinds = [
  'invoiceCreated',
  'invoiceBefore',
  'invoiceDay',
  'delayedPayment',
  'delayedPaymentAgain',
  'invoiceConfirmedPayment',
  /** The payment was given back, as a whole or in part, or a chargeback was lost: what was given back is owed again. */
  'paymentReturned',
  /** Three days and one day before the end of a trial. */
  'trialSoon',
  'trialTomorrow',
] as const
export type NoticeKind = (typeof noticeKinds)[number]

/**
 * The opt-in switches of a contact precede each channel's name (OP-124): one covers the notices before and on the due
 * date.
 */
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
  paymentReturned: 'DelayedPayment',
  trialSoon: 'InvoiceDay',
  trialTomorrow: 'InvoiceDay',
}

/** The channel of a notice, derived from the form of its address (OP-123). */
export const noticePlatforms = ['wpp', 'email'] as const
export type NoticePlatform = (typeof noticePlatforms)[number]

/** Days after its date until which a delayed reminder is still written. */
const STALE_DAYS = 1

/** A notice leaves at most so much (ms) later than it should have: afterwards it would be read as of today. */
const LATE_MS = 86_400_000

export const isOutdated = (dueAt: string, now: Date) => now.getTime() - Date.parse(dueAt) > LATE_MS

/** Why a notice is held, or was dropped, beside error codes. `noAddress`: it holds an address of ours, and BACKEND_URL is not set. */
export const NOTICE_REASONS = ['late', 'noAddress'] as const
export type NoticeReason = (typeof NOTICE_REASONS)[number]

interface Owed {
  dueDate: string
  status: string
}

interface Wishes {
  invoiceDaysBeforeExpiration: number
  invoiceDaysAfterExpiration: number
}

/**
 * The notice that is due for an unpaid invoice on a day: some days before the due date, on it, the day after, and some
 * days after (OP-18); 0 days disables one. Notices missed by days are not sent later.
 */
export function remindersOn(today: string, { dueDate, status }: Owed, wishes: Wishes): NoticeKind[] {
  if (!isOwed({ status })) return []
  const { invoiceDaysBeforeExpiration: before, invoiceDaysAfterExpiration: after } = wishes
  const within = (first: string, last: string) => first <= today && today <= last
  const late = (days: number) => within(daysFrom(dueDate, days), daysFrom(dueDate, days + STALE_DAYS))
  const kinds: NoticeKind[] = []
  if (before > 0 && within(daysFrom(dueDate, -before), daysFrom(dueDate, -1))) kinds.push('invoiceBefore')
  if (today === dueDate) kinds.push('invoiceDay')
  if (late(1)) kinds.push('delayedPayment')
  // the fixed notice covers one day after
  if (after > 1 && late(after)) kinds.push('delayedPaymentAgain')
  return kinds
}

/** Whether a queued notice is still sent: a paid or cancelled invoice gets no reminder. */
export const isStillTrue = (kind: NoticeKind, { status }: Pick<Owed, 'status'>) =>
  kind === 'invoiceConfirmedPayment' ? isPaid({ status }) : isOwed({ status })

/** The notice of a trial that is due on a day: three days before its end, or the day after that, and one day before. */
export function trialNoticeOn(today: string, trialEnd: string): NoticeKind | null {
  if (today === daysFrom(trialEnd, -1)) return 'trialTomorrow'
  return today === daysFrom(trialEnd, -3) || today === daysFrom(trialEnd, -2) ? 'trialSoon' : null
}

/** Hours of the day in which people are reminded, by the company's clock. */
const OPENS = 8
const CLOSES = 20

/** Hours from `hour` until reminders may be sent: 0 within the sending hours. */
export const hoursUntilOpen = (hour: number) =>
  hour < OPENS ? OPENS - hour : hour < CLOSES ? 0 : 24 - hour + OPENS

/** Values of the placeholders of a template (NTPL-004). */
export const noticePlaces = [
  'contactName',
  'valueBrl',
  'dueDate',
  'description',
  'subject',
  'notificationWppUrl',
  'notificationEmailUrl',
] as const
export type NoticeValues = Record<(typeof noticePlaces)[number], string>

/** Whether a text leads to a page of ours. */
export const holdsAddress = (template: string) => /\{\{\s*notification(Wpp|Email)Url\s*\}\}/.test(template)

/** Fills `{{contactName}}` and the other placeholders; unknown ones stay unchanged. */
export const noticeText = (template: string, values: NoticeValues): string =>
  template.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (written, name: string) =>
    Object.hasOwn(values, name) ? values[name as keyof NoticeValues] : written,
  )

const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** The same for HTML: names are escaped. */
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

/** One sentence about an invoice: the placeholder `description`. */
export function describeNotice(kind: NoticeKind, { dueDate, ...invoice }: InvoiceWords): string {
  const period = invoice.description
    ? `de ${invoice.description}`
    : `do período de ${written(invoice.startInvoicePeriod)} a ${written(invoice.endInvoicePeriod)}`
  const due = written(dueDate)
  return {
    invoiceCreated: `A fatura ${period} está disponível e vence em ${due}.`,
    invoiceBefore: `A fatura ${period} vence em ${due}.`,
    invoiceDay: `A fatura ${period} vence hoje, ${due}.`,
    delayedPayment: `A fatura ${period} venceu em ${due} e ainda não foi paga.`,
    delayedPaymentAgain: `A fatura ${period}, vencida em ${due}, continua em aberto.`,
    paymentReturned: `O pagamento da fatura ${period} foi devolvido ou contestado, no todo ou em parte. O que falta pagar vence em ${due}.`,
    invoiceConfirmedPayment: `Recebemos o pagamento da fatura ${period}. Obrigado!`,
    trialSoon: `O teste grátis termina em ${due}. A partir desse dia vale o preço do plano.`,
    trialTomorrow: `O teste grátis termina amanhã, ${due}. A partir desse dia vale o preço do plano.`,
  }[kind]
}

/** What a letter of this kind is called: the placeholder `subject`. */
export function subjectOfNotice(kind: NoticeKind, valueBrl: string, dueDate: string): string {
  const due = written(dueDate)
  return {
    invoiceCreated: `Fatura de ${valueBrl} com vencimento em ${due}`,
    invoiceBefore: `Lembrete: fatura de ${valueBrl} vence em ${due}`,
    invoiceDay: `Vence hoje: fatura de ${valueBrl}`,
    delayedPayment: `Fatura de ${valueBrl} venceu em ${due}`,
    delayedPaymentAgain: `Fatura de ${valueBrl} continua em aberto`,
    paymentReturned: `Pagamento devolvido: ${valueBrl} em aberto de novo`,
    invoiceConfirmedPayment: `Recebemos o pagamento de ${valueBrl}`,
    trialSoon: `O teste grátis termina em ${due}`,
    trialTomorrow: 'O teste grátis termina amanhã',
  }[kind]
}

interface InvoiceWords {
  /** What a one-off charge is for. */
  description?: string
  startInvoicePeriod: string
  endInvoicePeriod: string
  dueDate: string
}

/** Values of the placeholders. Dates are written in the Brazilian format. */
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
  subject: subjectOfNotice(kind, invoice.valueBrl, invoice.dueDate),
  ...urls,
})

/** The default template, and the content of a new one. */
export const firstTemplate = {
  name: '',
  type: 'payments' as const,
  thumbnailWpHtml: '<p><strong>{{valueBrl}}</strong></p>\n<p>{{description}}</p>',
  textWp:
    'Olá, {{contactName}}.\n\n{{description}}\n\nValor: *{{valueBrl}}*\nDetalhes e pagamento: {{notificationWppUrl}}',
  emailTitle: '{{subject}}',
  emailHtml:
    '<p>Olá, {{contactName}}.</p>\n<p>{{description}}</p>\n<p>Valor: <strong>{{valueBrl}}</strong></p>\n<p><a href="{{notificationEmailUrl}}">Ver detalhes e pagar</a></p>',
}
