import { z } from 'zod'
import { day, id, pageNumber, route } from './kit.ts'

/** pix: PIX Automático, debited by the payer’s bank. card: a card that the payment provider keeps. */
export const AutopayKind = z.enum(['pix', 'card'])
export type AutopayKind = z.infer<typeof AutopayKind>

/**
 * wanted: the provider is to be asked, at the latest with the next invoice. waiting: the payer has to authorize it, or to type the
 * card on the provider’s page. active: invoices are paid by it. ended: `reason` says why.
 */
export const AutopayState = z.enum(['wanted', 'waiting', 'active', 'ended'])
export type AutopayState = z.infer<typeof AutopayState>

/**
 * refused: by the provider or the bank, or the code was not paid in time. frequency: the plan is paid in other periods since.
 * stopped: the company is not billed any more. replaced: by another means, or by another code for what is owed now. notKept: the
 * provider keeps no cards for the account.
 */
export const AutopayReason = z.enum([
  ...(['', 'refused', 'expired', 'byPayer', 'byProvider', 'byCompany', 'byMaster', 'replaced'] as const),
  ...(['frequency', 'stopped', 'notKept'] as const),
])
export type AutopayReason = z.infer<typeof AutopayReason>

/** How the invoices of a company are paid by themselves. */
export const Autopay = z.object({
  kind: AutopayKind,
  state: AutopayState,
  reason: AutopayReason,
  /**
   * Why it was refused, or why the last invoice could not be paid by it: the provider’s words, or one of UNCHARGED_REASONS; may be
   * empty.
   */
  problem: z.string(),
  /** Of a card; empty until it is kept. */
  brand: z.string(),
  lastDigits: z.string(),
  /** While it waits: the code of PIX Automático, whose payment authorizes it and pays an invoice. */
  pixCode: z.string(),
  /** While a card waits: the provider’s page, where it is typed to pay an invoice. Empty until there is one. */
  paymentLink: z.string(),
  /** Cents that are paid by the code or on the page. */
  value: z.int(),
  valueBrl: z.string(),
  /** What is paid by it next; null where nothing is owed. */
  next: z.object({ day, value: z.int(), valueBrl: z.string() }).nullable(),
})
export type Autopay = z.infer<typeof Autopay>

const Shown = z.object({
  /** What the payment provider offers; empty: nothing. */
  offered: z.array(AutopayKind),
  /** The one that counts, else the last; null: there was none. */
  autopay: Autopay.nullable(),
})
export type ShownAutopay = z.infer<typeof Shown>

/** A company that pays by itself. */
export const AutopayCompany = z.object({
  companyId: z.int(),
  companyName: z.string(),
  kind: AutopayKind,
  state: AutopayState,
  brand: z.string(),
  lastDigits: z.string(),
  problem: z.string(),
  /** Since when. */
  since: z.iso.datetime(),
})
export type AutopayCompany = z.infer<typeof AutopayCompany>

const companyId = z.object({ companyId: id })

export const autopay = {
  companies: route('GET', '/autopay', {
    needs: 'master',
    summary: 'Companies whose invoices are paid by themselves, or that are about to authorize it, by name.',
    query: z.object({ pageNumber: pageNumber.optional() }),
    reply: z.object({ companies: z.array(AutopayCompany), hasMore: z.boolean() }),
  }),
  show: route('GET', '/autopay/:companyId', {
    needs: 'payPanel',
    summary: 'How the invoices of a company are paid by themselves, and what the payment provider offers.',
    params: companyId,
    reply: Shown,
  }),
  choose: route('POST', '/autopay/:companyId', {
    needs: 'payPanel',
    summary:
      'Invoices are to be paid by PIX Automático or by a card that the payment provider keeps, in place of what was chosen before. The payer authorizes it with the payment of an invoice. ERR_AUTOPAY_OFF where the provider that collects has neither.',
    params: companyId,
    body: z.object({ kind: AutopayKind }),
    reply: Shown,
    limit: { counts: 'calls', caller: 10 },
  }),
  end: route('DELETE', '/autopay/:companyId', {
    needs: 'payPanel',
    summary: 'Invoices are paid by their payment links again; the authorization is ended at the provider.',
    params: companyId,
    reply: Shown,
  }),
}
