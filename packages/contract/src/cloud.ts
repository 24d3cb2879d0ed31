import { z } from 'zod'
import { id, instant, route } from './kit.ts'

const metaId = z
  .string()
  .trim()
  .regex(/^\d{5,32}$/, 'Digits only')
const secret = z.string().trim().min(8, 'Too Short!').max(1000, 'Too Long!')

/** Data of a number of the official API from Meta's dashboard. Secrets are write-only. */
export const CloudInput = z.object({
  phoneNumberId: metaId.optional(),
  businessAccountId: metaId.optional(),
  accessToken: secret.optional(),
  /** Signs what Meta calls us with. */
  appSecret: secret.optional(),
  /** Verify token, chosen by the admin and entered at Meta too: proves that our admin registered the webhook. */
  verifyToken: secret.optional(),
})
export type CloudInput = z.infer<typeof CloudInput>

/** What Meta does not let an account do, and until when; null for no known end. */
export const CloudRestriction = z.object({ type: z.string(), until: instant.nullable() })

/** Quality and status of the number. Capitalized values are Meta's. */
export const CloudHealth = z.object({
  name: z.string(),
  /** GREEN, YELLOW, RED or UNKNOWN; empty until it was queried. */
  quality: z.string(),
  /** Limit of new recipients in 24 hours: TIER_250, TIER_2K, …, TIER_UNLIMITED. */
  messagingLimit: z.string(),
  /** STANDARD: 80 messages a second; HIGH: 1,000. */
  throughput: z.string(),
  /** Null for a token that does not expire. */
  /** Of the number: CONNECTED, FLAGGED, RESTRICTED, BANNED, …; empty until it was queried. */
  numberStatus: z.string(),
  /** Of its name: APPROVED, DECLINED, PENDING_REVIEW, … */
  nameStatus: z.string(),
  /** Of the account: SCHEDULE_FOR_DISABLE, DISABLE, or empty. */
  banState: z.string(),
  /** As Meta writes it. */
  banDate: z.string(),
  restrictions: z.array(CloudRestriction),
  /** The last violation of a policy that Meta reported. */
  violation: z.string(),
  violatedAt: instant.nullable(),
  tokenExpiresAt: instant.nullable(),
  lastWebhookAt: instant.nullable(),
  /** A code of the catalogue, or Meta's message. */
  lastError: z.string(),
  lastErrorAt: instant.nullable(),
  checkedAt: instant.nullable(),
})
export type CloudHealth = z.infer<typeof CloudHealth>

/** The settings of a connection of the official API, as its admins see them. */
export const CloudView = z.object({
  phoneNumberId: z.string(),
  businessAccountId: z.string(),
  /** Which secrets are stored. */
  secrets: z.object({ accessToken: z.boolean(), appSecret: z.boolean(), verifyToken: z.boolean() }),
  /**
   * Path of the callback to enter at Meta, after this installation's address. Its key belongs to this connection
   * alone.
   */
  webhookPath: z.string(),
  health: CloudHealth,
})
export type CloudView = z.infer<typeof CloudView>

/** A placeholder in a template that is filled when it is sent. */
export const CloudPlaceholder = z.object({
  part: z.enum(['header', 'body', 'button']),
  /** `1`, or a name; of a button its text. */
  name: z.string(),
  /** What the placeholder expects: a text, or the address of a file. */
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
  /** False for parts that cannot be filled here, such as a location. */
  sendable: z.boolean(),
})
export type CloudTemplate = z.infer<typeof CloudTemplate>

const whatsappId = z.object({ whatsappId: id })

export const cloud = {
  templates: route('GET', '/whatsapp/:whatsappId/templates', {
    needs: 'session',
    summary:
      'Templates of a connection of the official API by name, at most a minute old. ERR_WAPP_CLOUD_CALL when Meta does not answer.',
    params: whatsappId,
    reply: z.array(CloudTemplate),
  }),
}
