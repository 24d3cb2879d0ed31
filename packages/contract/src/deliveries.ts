import { z } from 'zod'
import { instant } from './kit.ts'

export const DeliveryState = z.enum(['waiting', 'done', 'failed'])
export type DeliveryState = z.infer<typeof DeliveryState>

/** Why there was no answer; `forbidden` for every address that is not public. */
export const DeliveryError = z.enum(['', 'forbidden', 'timeout', 'too-large', 'redirects', 'unreachable'])
export type DeliveryError = z.infer<typeof DeliveryError>

/** State of a delivery to another system. */
export const delivered = {
  state: DeliveryState,
  attempts: z.int(),
  /** Time of the next try; during a try, when its lease expires. */
  dueAt: instant.nullable(),
  /** Status of the last answer; null without one: then `error` has the reason. Neither during a try. */
  status: z.int().nullable(),
  error: DeliveryError,
  createdAt: instant,
  triedAt: instant.nullable(),
}

/** What a webhook is signed with, as the Standard Webhooks specification writes it: `whsec_` and a key in base64. */
export const SigningSecret = z.object({ secret: z.string() })
