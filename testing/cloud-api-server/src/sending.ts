import type { Answer, Call } from './call.ts'
import { readContent } from './content.ts'
import type { Customer } from './customer.ts'
import { lateFailure } from './delivering.ts'
import { badParameter, refusal } from './graph-error.ts'
import { wamid } from './ids.ts'
import { Envelope, MarkRead } from './message-shapes.ts'
import type { PhoneNumber } from './phone-number.ts'
import { priceOf } from './pricing.ts'
import { read } from './reading.ts'
import type { Sent } from './sent.ts'
import { tell } from './statuses.ts'

/** `POST /{number}/messages`: a message, or that one was read. Throws what Graph refuses at once. */
export async function postMessage(number: PhoneNumber, call: Call): Promise<Answer> {
  if (call.params.status !== undefined) return markRead(number, call)
  const sent = accept(number, call)
  const failure = await lateFailure(sent)
  const { faults } = number.state
  if (failure && faults.atOnce.has(failure.code)) throw refusal(failure.code, failure.error_data.details)
  sent.failure = failure
  number.state.sent.push(sent)
  sent.customer?.isAnswered(number)
  if (faults.statusesFirst) {
    goOn(sent)
    await number.state.work.done()
  } else call.afterwards(() => goOn(sent))
  return { status: 200, body: acceptance(sent) }
}

/** How it goes on, once it was accepted: it leaves and arrives, or fails. */
function goOn(sent: Sent) {
  const { customer, number } = sent
  if (sent.failure) tell(sent, 'failed')
  else {
    tell(sent, 'sent')
    if (customer?.online && !customer.blocked.has(number)) tell(sent, 'delivered')
  }
}

function accept(number: PhoneNumber, { params }: Call): Sent {
  const asked = read(Envelope, params)
  const { state } = number
  const recipient = recipientOf(asked.to, asked.recipient)
  const customer = state.customers.find(one => one.is(recipient.name, number))
  refuseNow(number, recipient.name, customer)
  const content = readContent(number, asked.type, params)
  if (recipient.by === 'user id' && content.category === 'AUTHENTICATION') throw refusal(131062)
  const quotes = quoteOf(number, asked.context?.message_id)
  const over = state.limits.refuses(number.id, recipient.name)
  if (over) throw refusal(over)
  const sent = {
    id: wamid(
      state.random,
      recipient.by === 'number' ? (customer?.number ?? recipient.name) : recipient.name,
      'out',
    ),
    number,
    input: recipient.input,
    by: recipient.by,
    customer,
    content,
    quotes,
    callbackData: asked.biz_opaque_callback_data,
    at: state.clock.now(),
    price: priceOf(number, customer, content),
    conversationId: state.random.hex(32).toLowerCase(),
    statuses: [],
    failure: undefined,
  }
  return sent
}

/** A number in any spelling, or a user id; the number is used when both are there. */
function recipientOf(to: string | undefined, userId: string | undefined) {
  if (to !== undefined) {
    const name = to.replace(/[\s()+-]/g, '')
    if (!/^\d{5,20}$/.test(name))
      throw refusal(131009, 'The phone number is malformed: Please use the format: +1234567890.')
    return { input: to, name, by: 'number' as const }
  }
  if (userId === undefined) throw badParameter('The parameter to is required.')
  if (!/^[A-Z]{2}\.(ENT\.)?[A-Za-z0-9]{1,128}$/.test(userId))
    throw refusal(131009, 'The recipient is no user id')
  return { input: userId, name: userId, by: 'user id' as const }
}

function refuseNow(number: PhoneNumber, recipient: string, customer: Customer | undefined) {
  if (number.account.locked) throw refusal(131031)
  if (!number.registered) throw refusal(133010)
  if (recipient === number.digits) throw refusal(131021)
  if (number.allowed && !number.allowed.has(customer?.number ?? recipient)) throw refusal(131030)
}

/** The message that is answered. One that Meta does not find any more is sent without its bubble. */
function quoteOf(number: PhoneNumber, id: string | undefined): string | undefined {
  if (id === undefined) return undefined
  if (!id.startsWith('wamid.')) throw refusal(131009, 'context.message_id is no id of a message')
  const { sent, customers } = number.state
  const known =
    sent.some(one => one.id === id) || customers.some(({ wrote }) => wrote.some(one => one.id === id))
  return known ? id : undefined
}

/** Graph's reply: the number as WhatsApp spells it, or the user id, whichever was requested. */
function acceptance({ id, input, by, customer, content }: Sent) {
  const digits = customer?.number ?? input.replace(/\D/g, '')
  return {
    messaging_product: 'whatsapp',
    contacts: [{ input, ...(by === 'number' ? { wa_id: digits } : { user_id: input }) }],
    messages: [{ id, ...(content.type === 'template' ? { message_status: 'accepted' } : {}) }],
  }
}

function markRead(number: PhoneNumber, { params }: Call): Answer {
  const { message_id: id, typing_indicator: typing } = read(MarkRead, params)
  const writer = number.state.customers.find(({ wrote }) =>
    wrote.some(one => one.id === id && one.to === number),
  )
  if (!writer) throw refusal(131009, 'message_id is no id of a message that this number received')
  writer.isRead(id, typing !== undefined)
  return { status: 200, body: { success: true } }
}
