import { z } from 'zod'
import { text } from './kit.ts'
import { ChoiceData } from './media.ts'

/** A group of WhatsApp has at most so many members. */
export const MOST_ANSWERS = 1_024

/** A person who answered, and when (ISO): `by` is `me` for the company, `contact` in a chat of two, else the group's member. */
const answer = { by: z.string(), name: z.string(), at: z.string() }

/** A poll on phones: options, and characters of its question and of an option. */
export const MOST_OPTIONS = 12
export const MAX_QUESTION = 255
export const MAX_OPTION = 100

/** A poll to send, within the bounds of phones. */
export const PollInput = z.object({
  question: text(1, MAX_QUESTION),
  options: z
    .array(text(1, MAX_OPTION))
    .min(2, 'Required')
    .max(MOST_OPTIONS, 'Too Long!')
    .superRefine((options, { addIssue }) => {
      const twice = options.findIndex((option, at) => options.indexOf(option) < at)
      if (twice >= 0) addIssue({ code: 'custom', path: [twice], message: 'Already there' })
    }),
  /** Several options may be chosen. */
  isMultiple: z.boolean().optional(),
})
export type PollInput = z.infer<typeof PollInput>

/** `dataJson` of a poll (mediaType `poll`); the body is the question. Polls of older versions have the choices only. */
export const PollData = ChoiceData.extend({
  /** Several may be chosen. */
  isMultiple: z.boolean().default(false),
  /** The newest vote of each person; a withdrawn one has no choices. Numbers count from 0 in `choices`. */
  votes: z
    .array(z.object({ ...answer, choices: z.array(z.number()).max(100) }))
    .max(MOST_ANSWERS)
    .default([]),
  /** Of a poll that a bot sent: what a vote for each choice means to it. */
  tapIds: z.array(z.string()).max(100).optional(),
})
export type PollData = z.infer<typeof PollData>

export const EventReply = z.enum(['going', 'maybe', 'notGoing'])
export type EventReply = z.infer<typeof EventReply>

/** `dataJson` of an event in a chat (mediaType `event`); the body is its name, with its description below. */
export const EventData = z.object({
  name: z.string(),
  description: z.string(),
  place: z.string(),
  startsAt: z.string().nullable(),
  endsAt: z.string().nullable(),
  isCanceled: z.boolean(),
  /** The newest reply of each person; `guests` come in addition. */
  replies: z.array(z.object({ ...answer, reply: EventReply, guests: z.number() })).max(MOST_ANSWERS),
})
export type EventData = z.infer<typeof EventData>

/** `dataJson` of a form that was filled in (mediaType null); the body has the same lines, for bots and searches. */
export const FormData = z.object({
  fields: z.array(z.object({ label: z.string(), value: z.string() })).max(100),
})
export type FormData = z.infer<typeof FormData>

/** `dataJson` of a payment (mediaType `payment`): what is paid, and how. The body has the same as lines. */
export const PaymentData = z.object({
  /** `pix`: a key alone; `review`: an order to be paid; `status`: what has become of one. */
  what: z.enum(['pix', 'request', 'sent', 'review', 'status', 'invoice', 'invite', 'declined', 'canceled']),
  /** Null where it is not known. */
  amount: z.number().nullable(),
  /** ISO 4217, or empty. */
  currency: z.string(),
  pix: z
    .object({
      key: z.string(),
      /** PHONE, CPF, CNPJ, EMAIL, EVP, or another word of the network. */
      keyType: z.string(),
      name: z.string(),
    })
    .nullable(),
  items: z.array(z.object({ name: z.string(), quantity: z.number(), price: z.number().nullable() })).max(100),
  /** The network's word for it, or empty. */
  status: z.string(),
  reference: z.string(),
  note: z.string(),
})
export type PaymentData = z.infer<typeof PaymentData>

/** `dataJson` of a product of a catalogue (mediaType `productMessage`); the body has the same as lines. */
export const ProductData = z.object({
  title: z.string(),
  description: z.string(),
  /** Null where it is not known. */
  price: z.number().nullable(),
  currency: z.string(),
  url: z.string(),
  /** What was written with it. */
  note: z.string(),
})
export type ProductData = z.infer<typeof ProductData>

/** `dataJson` of an invitation to a group (mediaType `groupInviteMessage`); the body has note and name. */
export const GroupInviteData = z.object({
  name: z.string(),
  note: z.string(),
  /** Until when it may be joined; null where it is not known. */
  until: z.string().nullable(),
})
export type GroupInviteData = z.infer<typeof GroupInviteData>

/** `dataJson` of a message whose kind cannot be read (mediaType `unknown`): what the network calls it. */
export const UnknownData = z.object({
  /** Its number in WhatsApp's protocol. */
  field: z.int(),
  /** Empty where it is not known. */
  name: z.string(),
})
export type UnknownData = z.infer<typeof UnknownData>

/** `dataJson` of an animated sticker in the Lottie format (mediaType `sticker`): a still as PNG in base64, or empty. */
export const StillData = z.object({ still: z.string() })

/** A member of a group who wrote in it: `id` is what a mention names; the number is empty while it is not known. */
export const GroupMember = z.object({ id: z.string(), name: z.string(), number: z.string() })
export type GroupMember = z.infer<typeof GroupMember>

/** What happened in a chat. */
export const Happening = z.enum([
  'subject',
  'description',
  'created',
  'added',
  'joined',
  'removed',
  'left',
  'promoted',
  'demoted',
  'adminsOnly',
  'everyone',
  'editedByAdmins',
  'editedByEveryone',
  'pinned',
  'unpinned',
  'inviteLink',
  'numberChanged',
  'approvalOn',
  'approvalOff',
  'asksToJoin',
  'joinEnded',
  'timerOn',
  'timerOff',
  'changed',
  'voted',
  'reacted',
  'kept',
  'withdrew',
  'undelivered',
])
export type Happening = z.infer<typeof Happening>

/** `dataJson` of a line between the messages (mediaType `chat_event`); the body is the new subject or description. */
export const ChatEventData = z.object({
  what: Happening,
  /** Names of those whom it concerns; empty where there are none. */
  people: z.array(z.string()).max(100),
})
export type ChatEventData = z.infer<typeof ChatEventData>
