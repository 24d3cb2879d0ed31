import { z } from 'zod'
import type { PastMessage } from './business-app.ts'
import type { Answer, Call } from './call.ts'
import { type ChatMessage, contentOf, type SentFile } from './customer-says.ts'
import { badParameter, refusal } from './graph-error.ts'
import type { PhoneNumber } from './phone-number.ts'
import { read } from './reading.ts'

const DAY = 86_400_000
/** Page "history webhook reference": a phase's days, each with its first and its last. */
const PHASES = [
  [0, 1],
  [1, 90],
  [90, 180],
] as const
const FILES_DAYS = 14
/** Small, so that a test's history has several. */
const CHUNK = 3

const Request = z.object({
  messaging_product: z.literal('whatsapp'),
  sync_type: z.enum(['smb_app_state_sync', 'history']),
})

/**
 * `POST /{number}/smb_app_data`, page "Onboard WhatsApp Business app users": names or history of the app, once each, within 24
 * hours of the onboarding.
 */
export function syncAppData(number: PhoneNumber, call: Call): Answer {
  const { sync_type: type } = read(Request, call.params)
  const { businessApp: app, state } = number
  if (!number.coexistence) throw refusal(131000, 'The phone number is not used in the WhatsApp Business app')
  if (app.synced.has(type)) throw badParameter('This synchronization was requested already')
  if (state.clock.now() > app.onboardedAt + DAY) throw badParameter('The time to synchronize is over')
  app.synced.set(type, state.clock.now())
  call.afterwards(() => (type === 'history' ? sendHistory(number) : app.sendBook()))
  return { status: 200, body: { messaging_product: 'whatsapp', request_id: state.random.hex(32) } }
}

function sendHistory(number: PhoneNumber) {
  if (!number.businessApp.sharesHistory) return number.tell('history', { history: [{ errors: [DECLINED] }] })
  const chunks = PHASES.flatMap((_, phase) => chunksOf(number, phase))
  for (const [at, { metadata, messages }] of chunks.entries()) {
    const progress = Math.round(((at + 1) / chunks.length) * 100)
    number.tell('history', {
      history: [{ metadata: { ...metadata, progress }, threads: threadsOf(number, messages) }],
    })
  }
  const youngest = number.state.clock.now() - FILES_DAYS * DAY
  for (const one of number.businessApp.past)
    if (isFile(one.content) && one.at >= youngest)
      number.tell('history', { messages: [messageOf(number, one)] })
}

/** The same page, "Chat history sharing declined". */
const DECLINED = {
  code: 2593109,
  title: 'History sync is turned off by the business from the WhatsApp Business App',
  message: 'History sync is turned off by the business from the WhatsApp Business App',
  error_data: { details: 'History sharing is turned off by the business' },
}

function chunksOf({ businessApp: { past }, state }: PhoneNumber, phase: number) {
  const [from, until] = PHASES[phase]!
  const age = ({ at }: PastMessage) => (state.clock.now() - at) / DAY
  const within = past.filter(one => age(one) >= from && age(one) < until)
  const count = Math.ceil(within.length / CHUNK)
  return Array.from({ length: count }, (_, at) => ({
    metadata: { phase, chunk_order: at + 1 },
    messages: within.slice(at * CHUNK, (at + 1) * CHUNK),
  }))
}

function threadsOf(number: PhoneNumber, messages: PastMessage[]) {
  return [...Map.groupBy(messages, one => one.with)].map(([customer, theirs]) => ({
    ...(customer.showsNumber ? { id: customer.number } : {}),
    context: {
      ...(customer.showsNumber ? { wa_id: customer.number } : {}),
      user_id: customer.userId(number),
      ...(customer.username ? { username: customer.username } : {}),
    },
    messages: theirs.map(one => ({
      ...messageOf(number, isFile(one.content) ? { ...one, content: PLACEHOLDER } : one),
      history_context: { status: one.fromMe ? 'DELIVERED' : 'READ' },
    })),
  }))
}

const PLACEHOLDER: ChatMessage = { raw: { type: 'media_placeholder' } }
const KINDS = ['image', 'video', 'audio', 'document', 'sticker']
const isFile = (content: ChatMessage): boolean =>
  Object.entries(content).some(([kind, file]) => KINDS.includes(kind) && (file as SentFile).bytes)

function messageOf(number: PhoneNumber, { id, with: customer, fromMe, content, at }: PastMessage) {
  const [type, body] = contentOf(number, content)
  const theirs = customer.showsNumber ? customer.number : undefined
  const who = fromMe
    ? { from: number.digits, ...(theirs && { to: theirs }), to_user_id: customer.userId(number) }
    : { ...(theirs && { from: theirs }), from_user_id: customer.userId(number) }
  return { ...who, id, timestamp: `${Math.floor(at / 1000)}`, type, ...body }
}
