import { z } from 'zod'
import { id, instant, route } from './kit.ts'
import { ReportFilter } from './reports.ts'

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
  /** Null for a token that does not expire. */
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
  /**
   * What the placeholder expects: a text, a file or its address, a place (`location`: `latitude, longitude; name; address`),
   * the id of a product in the catalogue (`product`), or products in sections (`products`: `title: id, id; title: id`).
   */
  kind: z.enum(['text', 'image', 'video', 'document', 'location', 'product', 'products']),
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
  /** False where it is not approved, or has parts that cannot be filled here. */
  sendable: z.boolean(),
  /** The first of these parts by Meta’s name, such as PRODUCT or CAROUSEL; empty without one. */
  unfilled: z.string().default(''),
  /** Why Meta rejected it, by its word, such as INVALID_FORMAT; empty where it did not. */
  reason: z.string().default(''),
  /** GREEN, YELLOW, RED or UNKNOWN: how people take it. */
  quality: z.string().default('UNKNOWN'),
})
export type CloudTemplate = z.infer<typeof CloudTemplate>

/** What Meta's embedded sign-up leads back with, and what the admin chose before it. */
export const SignUpInput = z.object({
  code: z.string().min(10).max(4_000),
  /** Of the two-step verification; only for a number that is not in the WhatsApp Business app of a phone. */
  pin: z
    .string()
    .regex(/^\d{6}$/, 'Six digits')
    .optional(),
  /** Whether the last 180 days of the phone's app are imported. */
  importsHistory: z.boolean().default(false),
})

/** Page of this installation that Meta leads back to. */
export const SIGN_UP_PATH = '/connections'

/** How many delivered messages of a month and a connection Meta counts in one category. */
export const CloudPriceSum = z.object({
  /** YYYY-MM by the company's clock. */
  month: z.string(),
  whatsappId: z.int(),
  connection: z.string(),
  /** marketing, utility, authentication, service, referral_conversion … */
  category: z.string(),
  /** regular, free_customer_service, free_entry_point; empty where Meta gave none. */
  type: z.string(),
  /** Whether Meta charges for them. */
  billable: z.boolean(),
  messages: z.int(),
})
export type CloudPriceSum = z.infer<typeof CloudPriceSum>

/** Maximum of rows of that report, from the newest month. */
export const MAX_PRICE_SUMS = 1_000

const whatsappId = z.object({ whatsappId: id })

export const cloud = {
  templates: route('GET', '/whatsapp/:whatsappId/templates', {
    needs: 'session',
    summary:
      'Templates of a connection of the official API by name, at most a minute old. ERR_WAPP_CLOUD_CALL when Meta does not answer.',
    params: whatsappId,
    reply: z.array(CloudTemplate),
  }),
  prices: route('GET', '/report/cloudprices', {
    needs: 'administration',
    summary:
      'How many messages Meta delivered over connections of the official API in a range, by month, connection, price category and whether it charges for them.',
    query: ReportFilter.pick({ initialDate: true, finalDate: true }),
    reply: z.object({ sums: z.array(CloudPriceSum) }),
  }),
}
