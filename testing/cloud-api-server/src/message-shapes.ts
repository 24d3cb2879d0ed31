import { z } from 'zod'
import { Interactive } from './interactive-shapes.ts'

/** What surrounds every message. Names that Graph does not know are ignored here, though not inside the kinds. */
export const Envelope = z.object({
  messaging_product: z.literal('whatsapp'),
  recipient_type: z.enum(['individual']).default('individual'),
  to: z.string().optional(),
  recipient: z.string().optional(),
  type: z
    .enum([
      'text',
      'image',
      'video',
      'audio',
      'document',
      'sticker',
      'location',
      'contacts',
      'reaction',
      'interactive',
      'template',
    ])
    .default('text'),
  context: z.object({ message_id: z.string() }).optional(),
  biz_opaque_callback_data: z.string().max(512).optional(),
})

export const MarkRead = z.object({
  messaging_product: z.literal('whatsapp'),
  status: z.enum(['read']),
  message_id: z.string(),
  typing_indicator: z.strictObject({ type: z.enum(['text']) }).optional(),
})

const file = { id: z.string().optional(), link: z.url().optional() }

/** A file that was uploaded, or a place that Meta fetches it from: one of both. */
const one = ({ id, link }: { id?: string; link?: string }) => (id === undefined) !== (link === undefined)
const orElse = { error: "There must be exactly one of 'id' and 'link'", params: { code: 131009 } }

const coordinate = (most: number) =>
  z
    .union([
      z.number(),
      z
        .string()
        .regex(/^-?\d+(\.\d+)?$/)
        .transform(Number),
    ])
    .pipe(z.number().min(-most).max(most))

const Contact = z.strictObject({
  name: z
    .strictObject({
      formatted_name: z.string().min(1),
      first_name: z.string().optional(),
      last_name: z.string().optional(),
      middle_name: z.string().optional(),
      prefix: z.string().optional(),
      suffix: z.string().optional(),
    })
    .refine(({ formatted_name: _, ...parts }) => Object.keys(parts).length > 0, {
      error: 'At least one of the optional name fields must be there beside formatted_name',
      params: { code: 131008 },
    }),
  phones: z
    .array(
      z.strictObject({
        phone: z.string().optional(),
        type: z.string().optional(),
        wa_id: z.string().optional(),
      }),
    )
    .optional(),
  emails: z.array(z.strictObject({ email: z.string(), type: z.string().optional() })).optional(),
  urls: z.array(z.strictObject({ url: z.string(), type: z.string().optional() })).optional(),
  addresses: z.array(z.record(z.string(), z.string())).optional(),
  org: z.record(z.string(), z.string()).optional(),
  birthday: z
    .string()
    .regex(/^\d{4}-\d\d-\d\d$/)
    .optional(),
})

const Parameter = z.looseObject({ type: z.string(), parameter_name: z.string().optional() })

/** The value under the name of the kind. */
export const KINDS = {
  text: z.strictObject({ body: z.string().min(1).max(4096), preview_url: z.boolean().optional() }),
  image: z.strictObject({ ...file, caption: z.string().max(1024).optional() }).refine(one, orElse),
  video: z.strictObject({ ...file, caption: z.string().max(1024).optional() }).refine(one, orElse),
  audio: z.strictObject({ ...file, voice: z.boolean().optional() }).refine(one, orElse),
  document: z
    .strictObject({
      ...file,
      caption: z.string().max(1024).optional(),
      filename: z.string().max(240).optional(),
    })
    .refine(one, orElse),
  sticker: z.strictObject(file).refine(one, orElse),
  location: z.strictObject({
    latitude: coordinate(90),
    longitude: coordinate(180),
    name: z.string().max(1000).optional(),
    address: z.string().max(1000).optional(),
  }),
  contacts: z.array(Contact).min(1).max(257),
  reaction: z.strictObject({
    message_id: z.string(),
    emoji: z.string().regex(/^(\p{RGI_Emoji}|[\u2600-\u27bf]\ufe0f?)?$/v),
  }),
  interactive: Interactive,
  template: z.strictObject({
    name: z.string().min(1).max(512),
    language: z.strictObject({ code: z.string(), policy: z.enum(['deterministic']).optional() }),
    components: z
      .array(
        z.strictObject({
          type: z
            .string()
            .transform(type => type.toLowerCase())
            .pipe(z.enum(['header', 'body', 'button'])),
          sub_type: z
            .string()
            .transform(type => type.toLowerCase())
            .optional(),
          index: z.union([z.string(), z.number()]).transform(Number).optional(),
          parameters: z.array(Parameter).optional(),
        }),
      )
      .optional(),
  }),
}

export type Kind = keyof typeof KINDS
export type TemplateAsked = z.infer<typeof KINDS.template>
export type TemplateParameter = z.infer<typeof Parameter>
