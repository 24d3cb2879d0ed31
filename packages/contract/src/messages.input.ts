import { z } from 'zod'
import { Choices, MAX_OVER } from './choices.ts'
import { PollInput } from './kinds.ts'
import { flag, fromJson, id, readJson } from './kit.ts'
import { PlaceData } from './media.ts'

/** WhatsApp's own limit for a text. */
export const MAX_BODY = 65_536

/** Maximum lines of a sent text. Received texts are accepted at any length, and shown folded. */
export const MAX_LINES = 1_000

export const writtenBody = z
  .string()
  .max(MAX_BODY, 'Too Long!')
  .refine(text => text.split('\n', MAX_LINES + 1).length <= MAX_LINES, 'Too many lines')

/** The last instant of a date, so that a draft that follows it can be numbered too. */
const LAST_INSTANT = 8_640_000_000_000_000

export const DraftAt = z.int().positive().max(LAST_INSTANT)

/** Rows are known by the lower case. */
export const chosenId = z.uuid().toLowerCase()

/** Most of whom one message mentions. */
export const MAX_MENTIONS = 20

/** Ids of members of the group (`messages.members`) whose names stand in the text as `@name`; in a note those of users. */
export const mentions = z.preprocess(
  (given: (string | number)[]) => listedIn(given),
  z.array(z.string().max(64)).max(MAX_MENTIONS),
)

/** In a form one value is no list, or the list is JSON. */
function listedIn(given: unknown): unknown {
  const listed = typeof given !== 'string' ? given : given.startsWith('[') ? readJson(given) : [given]
  return Array.isArray(listed) ? listed.map(one => (typeof one === 'number' ? String(one) : one)) : listed
}

const Draft = z.object({
  /** Chosen by the sender's screen: the same id sent twice is one message. */
  id: chosenId.optional(),
  /** The text, or the caption of the first file. Blank is refused where nothing else is sent. */
  body: writtenBody.optional(),
  fromMe: z.union([z.boolean(), z.string().max(10)]).optional(),
  read: z.union([z.boolean(), z.int()]).optional(),
  mediaUrl: z.string().max(2_000).optional(),
  /** The message answered to, or its id. */
  quotedMsg: z
    .union([z.uuid(), z.object({ id: z.uuid() }).transform(message => message.id)])
    .nullable()
    .optional(),
  /** A saved location. */
  locationId: id.optional(),
  ticketId: id.optional(),
  /** A location picked on the map, or the current one. */
  location: PlaceData.pick({ latitude: true, longitude: true })
    .extend({ name: z.string().max(200).optional() })
    .optional(),
  /** Contacts of the company, sent as cards. */
  contactIds: z.array(id).min(1).max(20).optional(),
  /** `1`: the one file is a voice recording. */
  isVoice: flag.optional(),
  /** `1`: the one file is a WebP picture sent as a sticker; a sticker has no text. */
  isSticker: flag.optional(),
  /** The caller’s draft of this message (`drafts`): it is cleared when the message is sent. */
  draftAt: z.coerce.number().pipe(DraftAt).optional(),
  mentions: mentions.optional(),
  /** A note of the company: it stands in the conversation and is never sent. A text, files, and what it quotes. */
  isPrivate: flag.optional(),
  /** Of a note: queues whose members are mentioned. */
  queueMentions: z.preprocess((given: number[]) => listedIn(given), z.array(id).max(MAX_MENTIONS)).optional(),
  /** Choices for the customer; supported by the simulator and the official API. */
  choices: Choices.optional(),
  /** A poll; where the network has none, its question with the options to tap or as text. */
  poll: fromJson(PollInput).optional(),
  /** A message that the business had approved; only on connections of the official API. The one file beside it is its header's. */
  template: fromJson(
    z.object({
      name: z.string().min(1).max(512),
      language: z.string().min(2).max(20),
      /** One a placeholder, in the order of header, body, buttons. */
      variables: z.array(z.string().max(1024)).max(50).default([]),
    }),
  ).optional(),
})

/** What a note cannot hold. */
const SENT_ONLY = [
  ...(['choices', 'poll', 'template', 'location', 'locationId', 'contactIds'] as const),
  'isSticker',
] as const

/** A message to send, or a note. Choices are shown below a text that fits over them. */
export const MessageInput = Draft.superRefine((draft, { addIssue }) => {
  const { body = '', choices, isPrivate, mentions = [] } = draft
  if (isPrivate) {
    for (const name of SENT_ONLY)
      if (draft[name]) addIssue({ code: 'custom', path: [name], message: 'Not in a note' })
    for (const [at, one] of mentions.entries())
      if (!id.safeParse(one).success)
        addIssue({ code: 'custom', path: ['mentions', at], message: 'The id of a user' })
  }
  if (!choices) return
  const message = body.trim() === '' ? 'Required' : body.length > MAX_OVER[choices.kind] ? 'Too Long!' : null
  if (message) addIssue({ code: 'custom', path: ['body'], message })
})
export type MessageInput = z.infer<typeof MessageInput>
