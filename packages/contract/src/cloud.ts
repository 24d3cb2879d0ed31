import { z } from 'zod'
import { id, instant, route } from './kit.ts'

const metaId = z
  .string()
  .trim()
  .regex(/^\d{5,32}$/, 'Digits only')
const secret = z.string().trim().min(8, 'Too Short!').max(1000, 'Too Long!')

/** What Meta's dashboard tells of a number of the official API. Secrets go in and never come out again. */
export const CloudInput = z.object({
  phoneNumberId: metaId.optional(),
  businessAccountId: metaId.optional(),
  accessToken: secret.optional(),
  /** Signs what Meta calls us with. */
  appSecret: secret.optional(),
  /** Chosen by the admin and typed at Meta too: proves to us that it was our admin who named the webhook. */
  verifyToken: secret.optional(),
})
export type CloudInput = z.infer<typeof CloudInput>

/** How Meta thinks of the number, and how its calls and ours go. Words in capitals are Meta's. */
export const CloudHealth = z.object({
  name: z.string(),
  /** GREEN, YELLOW, RED or UNKNOWN; empty while nobody asked. */
  quality: z.string(),
  /** People who may be written to first in 24 hours: TIER_250, TIER_2K, …, TIER_UNLIMITED. */
  messagingLimit: z.string(),
  /** STANDARD: 80 messages a second; HIGH: 1,000. */
  throughput: z.string(),
  /** Null for a token that does not expire. */
  tokenExpiresAt: instant.nullable(),
  lastWebhookAt: instant.nullable(),
  /** A code of the catalogue, or what Meta said. */
  lastError: z.string(),
  lastErrorAt: instant.nullable(),
  checkedAt: instant.nullable(),
})
export type CloudHealth = z.infer<typeof CloudHealth>

/** The settings of a connection of the official API, as its admins see them. */
export const CloudView = z.object({
  phoneNumberId: z.string(),
  businessAccountId: z.string(),
  /** Which secrets are kept. */
  secrets: z.object({ accessToken: z.boolean(), appSecret: z.boolean(), verifyToken: z.boolean() }),
  /** What is typed at Meta as the callback, behind this installation's address. Its key belongs to this connection alone. */
  webhookPath: z.string(),
  health: CloudHealth,
})
export type CloudView = z.infer<typeof CloudView>

/** A place in a template that is filled when it is sent. */
export const CloudPlaceholder = z.object({
  part: z.enum(['header', 'body', 'button']),
  /** `1`, or a name; of a button its text. */
  name: z.string(),
  /** What has to stand there: a text, or the address of a file. */
  kind: z.enum(['text', 'image', 'video', 'document']),
  /** What its author gave as an example. */
  example: z.string(),
})
export type CloudPlaceholder = z.infer<typeof CloudPlaceholder>

/** A message that Meta approves beforehand; only these go out when the customer has been silent for 24 hours. */
export const CloudTemplate = z.object({
  name: z.string(),
  language: z.string(),
  /** APPROVED, PENDING, REJECTED, PAUSED or DISABLED. */
  status: z.string(),
  /** MARKETING, UTILITY or AUTHENTICATION. */
  category: z.string(),
  header: z.string(),
  body: z.string(),
  footer: z.string(),
  buttons: z.array(z.string()),
  /** One a variable, in the order in which they are sent. */
  placeholders: z.array(CloudPlaceholder),
  /** False for what this product cannot fill, such as a place on the map. */
  sendable: z.boolean(),
})
export type CloudTemplate = z.infer<typeof CloudTemplate>

const whatsappId = z.object({ whatsappId: id })

export const cloud = {
  templates: route('GET', '/whatsapp/:whatsappId/templates', {
    needs: 'session',
    says: 'Templates of a connection of the official API by name, at most a minute old. ERR_WAPP_CLOUD_CALL when Meta does not answer.',
    params: whatsappId,
    reply: z.array(CloudTemplate),
  }),
}
