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
  /** Of a film or document: a small JPEG in base64, as the phone of its sender made it. */
  thumbnail: z.string().optional(),
  /** Of a document, where its sender states it. */
  pages: z.int().optional(),
})
export type Media = z.infer<typeof Media>

/** `dataJson` of a location (mediaType `location`). */
export const PlaceData = z.object({
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  name: z.string().default(''),
  address: z.string().default(''),
  isLive: z.boolean().default(false),
  /** When a live location was at this place (ISO). */
  movedAt: z.string().optional(),
  /** Rises with each place of a live location. */
  sequence: z.number().optional(),
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

/** `dataJson` of an order from a catalogue (mediaType `order`); the body is what was written with it, with a line for each item. */
export const OrderData = z.object({
  items: z
    .array(
      z.object({
        /** The seller's own id of the product. */
        product: z.string(),
        /** Empty where the network does not give it. */
        name: z.string().default(''),
        quantity: z.number(),
        /** Of one; null where it is not known. */
        price: z.number().nullable(),
        /** ISO 4217, or empty. */
        currency: z.string(),
      }),
    )
    .max(100),
  /** What was written with it; null in older rows, whose body it is. */
  note: z.string().nullable().default(null),
  title: z.string().default(''),
  /** How many items there are, where they are not listed; else null. */
  count: z.number().nullable().default(null),
  /** As the seller's catalogue adds it up; null where it is not given. */
  total: z.number().nullable().default(null),
  currency: z.string().default(''),
})
export type OrderData = z.infer<typeof OrderData>

/** `dataJson` of a call (mediaType `call_log`): a missed one has `isVideo` only in older rows. */
export const CallData = z.object({
  isVideo: z.boolean(),
  outcome: z.enum(['missed', 'taken']).default('missed'),
  /** How long it was; null where it was missed, or that is not known. */
  seconds: z.number().nullable().default(null),
})
export type CallData = z.infer<typeof CallData>

/** `dataJson` of a text that carries the preview of a page. The picture is a small JPEG in base64, or empty. */
export const LinkData = z.object({
  url: z.string(),
  title: z.string(),
  description: z.string().default(''),
  thumbnail: z.string().default(''),
})
export type LinkData = z.infer<typeof LinkData>

/** `dataJson` of a picture or film of an album: the id of the album, which all of its parts have. */
export const AlbumData = z.object({ album: z.string() })
export type AlbumData = z.infer<typeof AlbumData>

/** `dataJson` of a message that offers choices: buttons, a list, a poll, a template; in the order in which they are shown. */
export const ChoiceData = z.object({ choices: z.array(z.string()).max(100) })
export type ChoiceData = z.infer<typeof ChoiceData>

/** `dataJson` of a reaction whose message is unknown here (mediaType `reactionMessage`): the body is the emoji. */
export const ReactionData = z.object({ externalId: z.string() })

/**
 * What led a customer to a message: an ad, a post, or a product of the catalogue. Names are ours; the values are those of
 * the network, shortened, and empty where it gave none.
 */
export const Referral = z.object({
  /** ad, post, product, or another word of the network. */
  type: z.string(),
  /** Of the ad or the post at Meta, or of the product in the seller's catalogue. */
  sourceId: z.string(),
  sourceUrl: z.string(),
  headline: z.string(),
  body: z.string(),
  /** image or video. */
  mediaType: z.string(),
  /** At Meta, for some days: nothing is loaded from there. */
  mediaUrl: z.string(),
  /** A small JPEG in base64. */
  thumbnail: z.string(),
  /** Click id (`ctwa_clid`): what Meta's Conversions API asks for. */
  clickId: z.string(),
  /** Where the ad was shown: facebook, instagram … */
  app: z.string(),
  /** The catalogue of a product. */
  catalogId: z.string(),
})
export type Referral = z.infer<typeof Referral>

/** `dataJson` of what the official API does not bring (mediaType `unsupported`). */
export const UnsupportedData = z.object({
  /** Meta's name of the kind, such as poll_creation; empty where it gives none. */
  kind: z.string(),
  /** Meta's code: 131051 the kind, 131060 not available yet, 131052 a file that could not be fetched; null without one. */
  code: z.int().nullable(),
  /** What Meta wrote. */
  reason: z.string(),
})
export type UnsupportedData = z.infer<typeof UnsupportedData>
