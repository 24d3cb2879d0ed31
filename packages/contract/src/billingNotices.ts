import { z } from 'zod'
import { noticeKinds, noticePlatforms } from './billingNotices.rules.ts'
import { InvoiceStatus } from './invoices.ts'
import { flag, id, instant, pageNumber, route } from './kit.ts'

/** Recipients of the notices of one company. */
export const MOST_CONTACTS = 20

export const Validated = z.enum(['', 'valido', 'invalido'])

export const NO_NUMBER = 'Digite o número com DDD; de outro país, com + e o código'

/** Without what people write between the digits of a number. */
export const withoutMarks = (written: string) => written.replace(/[\s().+-]/g, '')

/** Which number it is the server decides (`wholeNumber`). */
export const looksLikeNumber = (written: string) => /^\d{8,17}$/.test(withoutMarks(written))

const whatsapp = z
  .string()
  .max(30, 'Too Long!')
  .transform(withoutMarks)
  .refine(digits => digits === '' || /^\d{8,15}$/.test(digits), 'Somente números, com o código do país')

/** With its country, or one of the company's; which number it is the server decides (`wholeNumber`). */
const ownNumber = z
  .string()
  .trim()
  .max(30, 'Too Long!')
  .refine(written => written === '' || looksLikeNumber(written), NO_NUMBER)

const contactEmail = z.union([
  z.literal(''),
  z.string().trim().max(200, 'Email Invalido').pipe(z.email('Email Invalido')),
])

const contactName = z
  .string({ error: 'Required' })
  .trim()
  .min(1, 'Required')
  .min(2, 'Too Short!')
  .max(50, 'Too Long!')
  .refine(written => !/[\p{Cc}\u2028\u2029]/u.test(written), 'Nome em uma linha')

const daysAway = z.coerce
  .number<number | string>({ error: '0 a 10' })
  .pipe(z.int('0 a 10').min(0, '0 a 10').max(10, '0 a 10'))
  .default(5)

const wishes = {
  whatsappInvoiceCreated: flag.default(true),
  whatsappInvoiceDay: flag.default(true),
  whatsappDelayedPayment: flag.default(true),
  whatsappInvoiceConfirmedPayment: flag.default(true),
  emailInvoiceCreated: flag.default(true),
  emailInvoiceDay: flag.default(true),
  emailDelayedPayment: flag.default(true),
  emailInvoiceConfirmedPayment: flag.default(true),
  /** Days before and after the due date on which a reminder is sent; 0 disables it (OP-18). */
  invoiceDaysBeforeExpiration: daysAway,
  invoiceDaysAfterExpiration: daysAway,
}

/** A recipient of the notices of a company. */
export const SubscriptionContact = z.object({
  id: z.int(),
  companyId: z.int(),
  contactName: z.string(),
  email: z.string(),
  /** Digits, with the country's code; empty without one. */
  whatsapp: z.string(),
  /** WhatsApp's answer about the number; empty until it was queried. */
  whatsappVAlidatedNumber: Validated,
  whatsappInvoiceCreated: z.boolean(),
  whatsappInvoiceDay: z.boolean(),
  whatsappDelayedPayment: z.boolean(),
  whatsappInvoiceConfirmedPayment: z.boolean(),
  emailInvoiceCreated: z.boolean(),
  emailInvoiceDay: z.boolean(),
  emailDelayedPayment: z.boolean(),
  emailInvoiceConfirmedPayment: z.boolean(),
  invoiceDaysBeforeExpiration: z.int(),
  invoiceDaysAfterExpiration: z.int(),
})
export type SubscriptionContact = z.infer<typeof SubscriptionContact>

/** A contact as a sign-up names it. */
export const NotificationContact = z.object({
  contactName,
  email: contactEmail.optional(),
  whatsapp: whatsapp.optional(),
})
export type NotificationContact = z.output<typeof NotificationContact>

export const SubscriptionContactInput = z.object({
  contactName,
  email: contactEmail.default(''),
  whatsapp: ownNumber.default(''),
  whatsappVAlidatedNumber: Validated.default(''),
  ...wishes,
})
export type SubscriptionContactInput = z.output<typeof SubscriptionContactInput>

const NO_WHATSAPP = 'Este numero não possui um WhatsApp'

/** An existing contact is not changed to a number that is not on WhatsApp (NSUB-005). */
export const SubscriptionContactChanges = SubscriptionContactInput.superRefine(
  ({ whatsapp: digits, whatsappVAlidatedNumber }, context) => {
    if (digits.length > 3 && whatsappVAlidatedNumber === 'invalido')
      context.addIssue({ code: 'custom', path: ['whatsapp'], message: NO_WHATSAPP })
  },
)

const html = z.string().max(100_000, 'Too Long!').default('')

/** A template of notices, with the placeholders of `noticePlaces`. */
export const NotificationTemplate = z.object({
  id: z.int(),
  name: z.string(),
  type: z.literal('payments'),
  /** The public page of a notice for a recipient of WhatsApp. */
  thumbnailWpHtml: z.string(),
  textWp: z.string(),
  emailHtml: z.string(),
  emailTitle: z.string(),
  /** Active; of several the one that was saved last is sent. */
  isUsed: z.boolean(),
  updatedAt: instant,
})
export type NotificationTemplate = z.infer<typeof NotificationTemplate>

export const NotificationTemplateInput = z.object({
  name: z.string({ error: 'Required' }).trim().min(1, 'Required').min(2, 'Too Short!').max(50, 'Too Long!'),
  type: z.literal('payments').default('payments'),
  thumbnailWpHtml: html,
  textWp: z.string().max(4_000, 'Too Long!').default(''),
  emailHtml: html,
  emailTitle: z
    .string()
    .trim()
    .max(200, 'Too Long!')
    .refine(written => !/[\p{Cc}\u2028\u2029]/u.test(written), 'Título em uma linha')
    .default(''),
})
export type NotificationTemplateInput = z.output<typeof NotificationTemplateInput>

/** Address of a template's test message: at least one. */
export const NoticeTrial = z
  .object({ email: contactEmail.default(''), whatsapp: whatsapp.default('') })
  .refine(({ email, whatsapp: digits }) => email !== '' || digits !== '', {
    path: ['email'],
    message: 'Required',
  })
export type NoticeTrial = z.output<typeof NoticeTrial>

/** waiting: scheduled; held: until what it lacks is there, or it is too late (`reason`); leaving: passed to the channel; dropped: nothing to send any more, or no channel to send it. */
export const NoticeState = z.enum(['waiting', 'held', 'leaving', 'sent', 'failed', 'dropped'])

/** One notice to one contact by one way. */
export const BillingNotice = z.object({
  id: z.uuid(),
  /** Null: of the trial. */
  invoiceId: z.int().nullable(),
  contactName: z.string(),
  platform: z.enum(noticePlatforms),
  kind: z.enum(noticeKinds),
  state: NoticeState,
  /** Why it is held, failed or was dropped: one of NOTICE_REASONS, an error code, or the network's message. */
  reason: z.string(),
  /** Time when it is sent. */
  dueAt: instant,
  sentAt: instant.nullable(),
})
export type BillingNotice = z.infer<typeof BillingNotice>

/** The public page of a notice, without login. */
export const NoticePage = z.object({
  /** Payment page of the invoice; empty without a configured address: the page itself explains how to pay. */
  urlRedirect: z.string(),
  description: z.string(),
  valueBrl: z.string(),
  dueDate: z.iso.date(),
  status: InvoiceStatus,
  pixCode: z.string(),
  /** Filled; of a notice by WhatsApp, else empty. */
  thumbnailHtml: z.string(),
})
export type NoticePage = z.infer<typeof NoticePage>

const companyId = z.object({ companyId: id })
const contactId = z.object({ id })
const templateId = z.object({ id })

export const billingNotices = {
  listContacts: route('GET', '/notification/subscription/list/:companyId', {
    needs: 'payPanel',
    summary:
      'Who hears of the invoices of a company: of any for masters, of the own one for those who pay for it.',
    params: companyId,
    reply: z.array(SubscriptionContact),
  }),
  showContact: route('GET', '/notification/subscription/show/:id', {
    needs: 'payPanel',
    summary: 'One of them.',
    params: contactId,
    reply: SubscriptionContact,
  }),
  addContact: route('POST', '/notification/subscription/store', {
    needs: 'payPanel',
    summary: 'Adds one. Without a company, to the own one. ERR_CONTACTS_LIMIT above twenty.',
    body: SubscriptionContactInput.extend({ companyId: id.optional() }),
    reply: SubscriptionContact,
  }),
  changeContact: route('PUT', '/notification/subscription/edit/:id', {
    needs: 'payPanel',
    summary: 'Changes one. A number that has no WhatsApp is refused.',
    params: contactId,
    body: SubscriptionContactChanges,
    reply: SubscriptionContact,
  }),
  removeContact: route('DELETE', '/notification/subscription/:id', {
    needs: 'payPanel',
    summary: 'Deletes one; what waited for it is not sent.',
    params: contactId,
  }),
  listNotices: route('GET', '/notification/sent/:companyId', {
    needs: 'payPanel',
    summary:
      'What was said of the invoices of a company, to whom and what became of it, the newest first, a page at a time.',
    params: companyId,
    query: z.object({ pageNumber: pageNumber.optional() }),
    reply: z.object({ notices: z.array(BillingNotice), hasMore: z.boolean() }),
  }),
  listTemplates: route('GET', '/notification/template', {
    needs: 'master',
    summary: 'All templates, by name.',
    reply: z.array(NotificationTemplate),
  }),
  showTemplate: route('GET', '/notification/template/:id', {
    needs: 'master',
    summary: 'One template.',
    params: templateId,
    reply: NotificationTemplate,
  }),
  addTemplate: route('POST', '/notification/template', {
    needs: 'master',
    summary: 'Adds a template, which goes out from now on.',
    body: NotificationTemplateInput,
    reply: NotificationTemplate,
  }),
  changeTemplate: route('PUT', '/notification/template/:id', {
    needs: 'master',
    summary: 'Changes a template, which goes out from now on.',
    params: templateId,
    body: NotificationTemplateInput,
    reply: NotificationTemplate,
  }),
  removeTemplate: route('DELETE', '/notification/template/:id', {
    needs: 'master',
    summary: 'Deletes a template; without any the product’s own words go out.',
    params: templateId,
  }),
  tryTemplate: route('POST', '/notification/template/:id/test', {
    needs: 'master',
    summary:
      'Sends a sample of a template. ERR_NO_MAIL without a mail server, ERR_NO_DEF_WAPP_FOUND without a connection that is the notification centre.',
    params: templateId,
    body: NoticeTrial,
    limit: { counts: 'calls', caller: 30, all: 60 },
  }),
  open: route('GET', '/n/:platform/:id', {
    needs: 'nobody',
    summary:
      'What a notice leads to, without a login: where its invoice is paid. ERR_NOT_FOUND for an unknown one.',
    params: z.object({ platform: z.enum(noticePlatforms), id: z.uuid() }),
    reply: NoticePage,
    limit: { counts: 'failures', caller: 30, all: 600 },
  }),
}
