import { createHmac } from 'node:crypto'
import { peopleOn } from '../../apps/server/src/channels/baileys/inbound/contact-cards.ts'
import { incomingContentOf } from '../../apps/server/src/channels/baileys/inbound/content.ts'
import {
  fileNameFrom,
  lineFrom,
  mimeFrom,
  pageFrom,
  textFrom,
} from '../../apps/server/src/channels/baileys/inbound/text.ts'
import { inboundFrom } from '../../apps/server/src/channels/baileys/inbound/translate.ts'
import { type GraphMessage, graphContentOf } from '../../apps/server/src/channels/cloud/content.ts'
import { translateChanges } from '../../apps/server/src/channels/cloud/translate.ts'
import type { Names } from '../../apps/server/src/channels/cloud/values.ts'
import { describedIn, firstAddressIn } from '../../apps/server/src/channels/link-previews.ts'
import { referenceOf } from '../../apps/server/src/features/charges/charges.rules.ts'
import { readAsaasEvent } from '../../apps/server/src/payments/asaas.events.ts'
import { chargeStatusOf } from '../../apps/server/src/payments/mercadopago.catalogue.ts'
import { readMercadoPagoEvent } from '../../apps/server/src/payments/mercadopago.events.ts'
import { MercadoPagoPayment } from '../../apps/server/src/payments/mercadopago.shapes.ts'
import { EventRefused } from '../../apps/server/src/payments/payments.ts'
import { shownText } from '../../apps/server/src/payments/provider.calls.ts'
import { whyItFailed } from '../../apps/server/src/platform/observe/log-errors.ts'
import type { Reader } from './readers.ts'

/** A message may hold 64 kB of text, a page of another's server 256 kB, a webhook 4 MB. */
const LETTERS = 65_536

const key = { remoteJid: '5511999990000@s.whatsapp.net', fromMe: false, id: 'AAAA' }
const said = (message: object) => inboundFrom({ key, messageTimestamp: 1_760_000_000, message })
const vcard = (text: string) => ({ displayName: text, vcard: `BEGIN:VCARD\n${text}\nEND:VCARD` })
const NAMES: Names = {
  ours: wamid => wamid,
  isOurs: () => false,
  isOfCompany: () => false,
  theirs: () => undefined,
  askedAt: () => undefined,
}
const posted = (message: Omit<GraphMessage, 'id'>) =>
  translateChanges(
    [
      {
        field: 'messages',
        value: {
          metadata: { display_phone_number: '551140000000', phone_number_id: '1' },
          contacts: [{ profile: { name: 'a' }, wa_id: '5511999990000' }],
          messages: [{ from: '5511999990000', id: 'wamid.A', timestamp: '1760000000', ...message }],
        },
      },
    ],
    NAMES,
  )

/** What it refuses was read, too. */
function read(reads: () => unknown): unknown {
  try {
    return reads()
  } catch (error) {
    if (error instanceof EventRefused) return error.message
    throw error
  }
}

const asaasCall = (body: string) => ({
  ...{ headers: { 'asaas-access-token': 't' }, query: {}, body: Buffer.from(body) },
})
const asaasEvent = (event: object) => read(() => readAsaasEvent('t', asaasCall(JSON.stringify(event))))
const asaasPayment = (text: string) => ({
  ...{ id: text, status: text, externalReference: text, refunds: [{ status: text, value: 1 }] },
})

/** Signed by whoever knows the secret. */
function mercadoPagoEvent(event: object) {
  const v1 = createHmac('sha256', 's').update('id:1;ts:1;').digest('hex')
  const headers = { 'x-signature': `ts=1,v1=${v1}` }
  const call = { headers, query: { 'data.id': '1' }, body: Buffer.from(JSON.stringify(event)) }
  return read(() => readMercadoPagoEvent('s', call))
}

/** What a phone, a provider, a page or a server of others sends, as the drivers read it. */
export const driverReaders: Reader[] = Object.entries<(text: string) => unknown>({
  'a text': text => said({ conversation: text }),
  'a text that mentions and quotes': text =>
    said({
      extendedTextMessage: {
        text,
        contextInfo: {
          mentionedJid: [text],
          stanzaId: text,
          participant: text,
          quotedMessage: { conversation: text },
        },
      },
    }),
  'a caption, a file name and a type': text =>
    said({ documentMessage: { caption: text, fileName: text, mimetype: text, url: text, title: text } }),
  'a contact card': text => said({ contactMessage: vcard(text) }),
  'lines of a card': text => peopleOn([vcard(`${text}\nTEL;${text}:${text}\nFN;${text}:${text}`)]),
  'a poll': text => said({ pollCreationMessage: { name: text, options: [{ optionName: text }] } }),
  'buttons of a flow': text =>
    incomingContentOf({
      interactiveMessage: {
        body: { text },
        nativeFlowMessage: { buttons: [{ name: text, buttonParamsJson: text }] },
      },
    }),
  'a text of a field': text => [
    textFrom(text),
    lineFrom(text),
    fileNameFrom(text),
    mimeFrom(text),
    pageFrom(text),
  ],
  'a text of Meta': text => posted({ type: 'text', text: { body: text } }),
  'a file of Meta': text =>
    posted({ type: 'document', document: { id: text, caption: text, filename: text, mime_type: text } }),
  'an answer of Meta': text =>
    graphContentOf({ id: 'a', type: 'interactive', interactive: { nfm_reply: { response_json: text } } }),
  'a card of Meta': text =>
    graphContentOf({
      id: 'a',
      type: 'contacts',
      contacts: [{ name: { formatted_name: text }, phones: [{ phone: text }] }],
    }),
  'the first link': firstAddressIn,
  'a page': describedIn,
  'an event of Asaas, its parts': text =>
    asaasEvent({ id: text, event: text, payment: { id: text, status: text, statusDescription: text } }),
  'a payment of Asaas': text =>
    ['PAYMENT_RECEIVED', 'PAYMENT_CHARGEBACK_REQUESTED', 'PAYMENT_UPDATED'].map(event =>
      asaasEvent({ id: 'evt_1', event, payment: asaasPayment(text) }),
    ),
  'a day and an address of Asaas': text => [
    asaasEvent({ id: 'e', event: 'PAYMENT_RECEIVED', payment: { ...asaasPayment('p'), paymentDate: text } }),
    asaasEvent({
      ...{ id: 'e', event: 'PAYMENT_RECEIVED' },
      payment: { ...asaasPayment('p'), transactionReceiptUrl: text },
    }),
  ],
  'the bytes of an event of Asaas': text => read(() => readAsaasEvent('t', asaasCall(text))),
  'an event of Mercado Pago': text =>
    mercadoPagoEvent({ id: text, type: text, action: text, data: { id: text } }),
  'a topic of Mercado Pago': text => mercadoPagoEvent({ id: '1', type: text, action: text, data: {} }),
  'a signature of Mercado Pago': text =>
    read(() =>
      readMercadoPagoEvent('s', {
        ...{ headers: { 'x-signature': text, 'x-request-id': text }, query: { 'data.id': text } },
        body: Buffer.from(text),
      }),
    ),
  'a payment of Mercado Pago': text =>
    MercadoPagoPayment.safeParse({
      ...{ id: 1, status: text, status_detail: text, external_reference: text, date_created: text },
      ...{ transaction_amount: 1, date_approved: text, money_release_date: text },
      ...{ transaction_details: { external_resource_url: text } },
    }),
  'a status of Mercado Pago': text => chargeStatusOf(text, text),
  'a text of a payment provider': text => [shownText(text, 500), referenceOf('a', text)],
  'an error of another system': text => whyItFailed(new Error(text)),
}).map(([name, read]) => ({ name, read, letters: LETTERS }))
