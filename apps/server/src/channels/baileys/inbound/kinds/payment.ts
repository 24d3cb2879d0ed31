import { paymentWords } from '@balcao/contract/kinds.rules.ts'
import type { PaymentData } from '@balcao/contract/kinds.ts'
import type { proto } from 'baileys'
import { externalIdOf } from '../../../../platform/external.ts'
import { attempt, countFrom, lineFrom, textFrom } from '../text.ts'
import { type KindReading, kindOf } from './kind.ts'

/** Amounts of requests are in thousandths (`amount1000`). */
const THOUSANDTHS = 1_000
const MOST_ITEMS = 100
const MAX_JSON = 65_536

const shown = {
  bubble: 'what is paid, how much and how: a Pix key with its kind and name, and a button to copy it',
  words: 'note, name and key of Pix, items and total',
}

export const paymentRequestKind = kindOf(
  ['requestPaymentMessage'],
  { name: 'request for a payment', ...shown },
  part => {
    const { amount, amount1000, currencyCodeIso4217: code } = part
    const known = countFrom(amount1000)
    const isMoney = amount?.value != null
    return paymentRead({
      what: 'request',
      amount: isMoney ? moneyFrom({ ...amount }) : known === null ? null : known / THOUSANDTHS,
      currency: currencyFrom(amount?.currencyCode || code),
      note: noteOf(part.noteMessage),
    })
  },
)

export const paymentSentKind = kindOf(['sendPaymentMessage'], { name: 'payment', ...shown }, part => ({
  ...paymentRead({ what: 'sent', note: noteOf(part.noteMessage) }),
  ...about(part.requestMessageKey),
}))

export const paymentDeclinedKind = kindOf(
  ['declinePaymentRequestMessage'],
  { name: 'refused request for a payment', ...shown },
  part => ({ ...paymentRead({ what: 'declined' }), ...about(part.key) }),
)

export const paymentCanceledKind = kindOf(
  ['cancelPaymentRequestMessage'],
  { name: 'cancelled request for a payment', ...shown },
  part => ({ ...paymentRead({ what: 'canceled' }), ...about(part.key) }),
)

export const paymentInviteKind = kindOf(
  ['paymentInviteMessage'],
  { name: 'invitation to pay by WhatsApp', ...shown },
  () => paymentRead({ what: 'invite' }),
)

export const invoiceKind = kindOf(['invoiceMessage'], { name: 'invoice', ...shown }, part =>
  paymentRead({ what: 'invoice', note: textFrom(part.note) }),
)

/** The payment that a button of an interactive message is about, below its text; null for any other button. */
export function paymentOnButton(
  button: { name?: string | null; buttonParamsJson?: string | null },
  text: string,
): KindReading | null {
  const what = BUTTONS.get(button.name ?? '')
  const json = button.buttonParamsJson ?? ''
  const params = what && json.length <= MAX_JSON ? attempt(() => objectIn(JSON.parse(json))) : null
  return what && params ? paymentRead(paymentFrom(what, params, text)) : null
}

const BUTTONS = new Map<string, PaymentData['what']>([
  ['payment_info', 'pix'],
  ['payment_key_info', 'pix'],
  ['review_and_pay', 'review'],
  ['review_order', 'status'],
  ['payment_status', 'status'],
  ['payment_request', 'request'],
  ['wa_payment_transaction_details', 'status'],
])

type Params = Record<string, unknown>

function paymentFrom(
  what: PaymentData['what'],
  params: Params,
  text: string,
): Partial<PaymentData> & Pick<PaymentData, 'what'> {
  const order = objectIn(params.order)
  const settings = listIn(params.payment_settings).map(objectIn)
  const pix = settings.map(pixIn).find(one => one !== null) ?? null
  const amount = moneyFrom(objectIn(params.total_amount))
  const items = listIn(order.items)
    .filter((_, at) => at < MOST_ITEMS)
    .map(one => itemFrom(objectIn(one)))
  return {
    // a key alone is sent as a payment of nothing
    what:
      what === 'pix' && !pix
        ? 'request'
        : what === 'review' && pix && !amount && items.length === 0
          ? 'pix'
          : what,
    amount: amount || null,
    currency: currencyFrom(params.currency),
    pix,
    items,
    status: lineFrom(order.status ?? params.payment_status ?? params.status, 50),
    reference: lineFrom(params.reference_id, 100),
    note: [textFrom(text, 2_000), textFrom(order.description, 2_000)].filter(Boolean).join('\n'),
  }
}

function pixIn(setting: Params): PaymentData['pix'] {
  const code = objectIn(setting.pix_static_code ?? setting.pix_dynamic_code ?? setting.pix)
  const key = lineFrom(code.key ?? code.code, 1_000)
  if (!key) return null
  return { key, keyType: lineFrom(code.key_type, 20), name: lineFrom(code.merchant_name) }
}

function itemFrom({ name, quantity, amount, sale_amount: sale, retailer_id: id }: Params) {
  const price = objectIn(sale).value === undefined ? objectIn(amount) : objectIn(sale)
  return {
    name: lineFrom(name) || lineFrom(id),
    quantity: countFrom(quantity, 1_000_000) ?? 1,
    price: moneyFrom(price),
  }
}

/** An amount in parts: `offset` is how many of them are one. */
export function moneyFrom({ value, offset }: { value?: unknown; offset?: unknown }): number | null {
  const known = countFrom(value)
  return known === null ? null : known / (countFrom(offset, 1_000_000) || 1)
}

export function paymentRead(given: Partial<PaymentData> & Pick<PaymentData, 'what'>): KindReading {
  const nothing = { amount: null, currency: '', pix: null, items: [], status: '', reference: '', note: '' }
  const data: PaymentData = { ...nothing, ...given }
  return { mediaType: 'payment', body: paymentWords(data), data }
}

const about = (key: proto.IMessageKey | null | undefined) => {
  const quotedExternalId = externalIdOf(key?.id)
  return quotedExternalId ? { quotedExternalId } : {}
}

const noteOf = (note: proto.IMessage | null | undefined): string =>
  textFrom(note?.extendedTextMessage?.text ?? note?.conversation)

export const currencyFrom = (code: unknown) => (/^[A-Z]{3}$/.test(lineFrom(code)) ? lineFrom(code) : '')

const objectIn = (value: unknown): Params =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Params) : {}

const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
