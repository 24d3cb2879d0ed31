import { z } from 'zod'
import { flag, id, instant, route } from './kit.ts'
import { Media, PlaceData } from './media.ts'
import { MAX_BODY } from './messages.input.ts'
import { Typing } from './messages.ts'

/** What the simulated phone shows; `fromMe` is true when the company wrote it. */
export const SimulatedMessage = z.object({
  id: z.string(),
  fromMe: z.boolean(),
  body: z.string(),
  /** Fetched with the bearer token, like every file. */
  mediaUrl: z.string().nullable(),
  mediaType: z.string().nullable(),
  media: Media.nullable(),
  /** JSON text of one of the `…Data` shapes of media.ts, by mediaType. */
  dataJson: z.string().nullable(),
  quotedId: z.string().nullable(),
  /** `fromMe` is the company's. */
  reactions: z.array(z.object({ emoji: z.string(), fromMe: z.boolean() })),
  isForwarded: z.boolean(),
  isDeleted: z.boolean(),
  isPinned: z.boolean(),
  isEdited: z.boolean(),
  ack: z.int(),
  createdAt: instant,
})
export type SimulatedMessage = z.infer<typeof SimulatedMessage>

const phone = z.object({ whatsappId: id })
const number = z.string().regex(/^\d{8,20}$/, 'Digits with country code')
const oneMessage = phone.extend({ messageId: z.string().max(100) })

const Place = PlaceData.extend({
  name: z.string().max(300).default(''),
  address: z.string().max(300).default(''),
  movedAt: z.string().max(40).optional(),
})
const Written = z.object({
  number,
  name: z.string().max(100).optional(),
  /** The text, or the caption of the first file. */
  body: z.string({ error: 'Required' }).max(MAX_BODY, 'Too Long!').optional(),
  /** `1`: the file is a voice recording; a sticker. */
  isVoice: flag.optional(),
  isSticker: flag.optional(),
  isForwarded: flag.optional(),
  quotedId: z.string().max(100).optional(),
  location: Place.optional(),
  contacts: z
    .array(z.object({ name: z.string().max(100), number }))
    .min(1)
    .max(20)
    .optional(),
  /** Any other kind that a phone may send, by WhatsApp's name: `call_log`, `orderMessage`. */
  mediaType: z.string().min(1).max(50).optional(),
})

export const simulator = {
  write: route('POST', '/simulator/:whatsappId/messages', {
    needs: 'session',
    summary:
      'A customer writes from the simulated phone: a text, files (`medias`, one message each), a place, contacts. Answers the id of the first.',
    params: phone,
    files: 'also',
    body: Written,
    reply: z.object({ id: z.string() }),
  }),
  edit: route('PUT', '/simulator/:whatsappId/messages/:messageId', {
    needs: 'session',
    summary: 'The customer changes the text of a message.',
    params: oneMessage,
    body: z.object({ number, body: z.string().min(1, 'Required').max(MAX_BODY, 'Too Long!') }),
  }),
  remove: route('DELETE', '/simulator/:whatsappId/messages/:messageId', {
    needs: 'session',
    summary: 'The customer deletes a message for everyone.',
    params: oneMessage,
    query: z.object({ number }),
  }),
  react: route('PUT', '/simulator/:whatsappId/messages/:messageId/reaction', {
    needs: 'session',
    summary: 'The customer reacts on a message, or takes it back with an empty emoji.',
    params: oneMessage,
    body: z.object({ number, emoji: z.string().max(40) }),
  }),
  vote: route('PUT', '/simulator/:whatsappId/messages/:messageId/vote', {
    needs: 'session',
    summary: 'The customer votes in a poll by the numbers of its choices; none withdraw the vote.',
    params: oneMessage,
    body: z.object({ number, choices: z.array(z.int().min(0).max(11)).max(12) }),
  }),
  type: route('POST', '/simulator/:whatsappId/typing', {
    needs: 'session',
    summary: 'The customer begins or stops to write or record.',
    params: phone,
    body: z.object({ number, state: Typing }),
  }),
  chats: route('GET', '/simulator/:whatsappId/chats', {
    needs: 'session',
    summary:
      'The numbers this phone has talked with, newest first, 40 a time (`before`: the `lastId` of the last one), and what the company does there at this moment.',
    params: phone,
    query: z.object({ before: id.optional() }),
    reply: z.array(
      z.object({
        number: z.string(),
        name: z.string(),
        lastMessage: z.string(),
        lastId: z.int(),
        typing: Typing,
        updatedAt: instant,
      }),
    ),
  }),
  chat: route('GET', '/simulator/:whatsappId/chats/:number', {
    needs: 'session',
    summary: 'What the phone of that number shows, oldest first.',
    params: phone.extend({ number }),
    reply: z.array(SimulatedMessage),
  }),
  receipt: route('POST', '/simulator/:whatsappId/receipts', {
    needs: 'session',
    summary: 'That phone received (3), read (4) or played (5) everything it was sent.',
    params: phone,
    body: z.object({ number, ack: z.int().min(2).max(5) }),
  }),
  fault: route('POST', '/simulator/:whatsappId/fault', {
    needs: 'admin',
    summary: 'Makes the simulated network misbehave until this is changed.',
    params: phone,
    body: z.object({ kind: z.enum(['offline', 'slow', 'reject', 'none']) }),
  }),
}
