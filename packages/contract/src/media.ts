import { z } from 'zod'

const MB = 1024 * 1024

/** WhatsApp's own limits for what is sent, by kind: checked before an upload and again when it arrives. */
export const fileLimits = { image: 16 * MB, audio: 64 * MB, video: 64 * MB, document: 100 * MB }
export type FileKind = keyof typeof fileLimits

/** Maximum of files in one call. */
export const MAX_FILES = 30

/** What is known of a message's file before and after its bytes are here. */
export const Media = z.object({
  /** `loading` until the bytes are stored; `failed` may be retried. */
  state: z.enum(['loading', 'ready', 'failed']),
  name: z.string(),
  /** MIME type, detected from the content once it is stored. */
  type: z.string(),
  /** Bytes; 0 while unknown. */
  size: z.int(),
  /** Duration of audio and video; null while unknown. */
  seconds: z.int().nullable(),
  /** Pixels of an image or video: reserves its layout box before it is loaded. */
  width: z.int().nullable(),
  height: z.int().nullable(),
  /** Recorded as a voice message. */
  isVoice: z.boolean(),
})
export type Media = z.infer<typeof Media>

/** `dataJson` of a location (mediaType `location`). */
export const PlaceData = z.object({
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  name: z.string().default(''),
  address: z.string().default(''),
  isLive: z.boolean().default(false),
})
export type PlaceData = z.infer<typeof PlaceData>

/** `dataJson` of contact cards (mediaType `vcard`). */
export const CardData = z.object({
  contacts: z
    .array(
      z.object({
        name: z.string(),
        phones: z.array(z.object({ number: z.string(), onWhatsApp: z.boolean() })),
      }),
    )
    .max(100),
})
export type CardData = z.infer<typeof CardData>

/** `dataJson` of an order from a catalogue (mediaType `order`); the body is what was written with it. */
export const OrderData = z.object({
  items: z
    .array(
      z.object({
        /** The seller's own id of the product. */
        product: z.string(),
        quantity: z.number(),
        /** Of one; null where it is not known. */
        price: z.number().nullable(),
        /** ISO 4217, or empty. */
        currency: z.string(),
      }),
    )
    .max(100),
})
export type OrderData = z.infer<typeof OrderData>

/** `dataJson` of a missed call (mediaType `call_log`). */
export const CallData = z.object({ isVideo: z.boolean() })

/** `dataJson` of a text that carries the preview of a page. The picture is a small JPEG in base64, or empty. */
export const LinkData = z.object({
  url: z.string(),
  title: z.string(),
  description: z.string().default(''),
  thumbnail: z.string().default(''),
})
export type LinkData = z.infer<typeof LinkData>

/** `dataJson` of a message that offers choices: buttons, a list, a poll, a template; in the order in which they are shown. */
export const ChoiceData = z.object({ choices: z.array(z.string()).max(100) })
export type ChoiceData = z.infer<typeof ChoiceData>

/** `dataJson` of a reaction whose message is unknown here (mediaType `reactionMessage`): the body is the emoji. */
export const ReactionData = z.object({ externalId: z.string() })
