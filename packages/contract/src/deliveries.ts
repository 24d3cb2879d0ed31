import { z } from 'zod'
import { instant } from './kit.ts'

export const DeliveryState = z.enum(['waiting', 'done', 'failed'])
export type DeliveryState = z.infer<typeof DeliveryState>

/** Why nobody answered; `forbidden` of every address that is not public. */
export const DeliveryError = z.enum(['', 'forbidden', 'timeout', 'too-large', 'redirects', 'unreachable'])
export type DeliveryError = z.infer<typeof DeliveryError>

/** How it stands with something that another system is told. */
export const delivered = {
  state: DeliveryState,
  attempts: z.int(),
  /** When it is tried next; while it is being tried, when another worker would take it. */
  dueAt: instant.nullable(),
  /** What was answered last; null when nobody answered: then `error` says why. Neither while it is being tried. */
  status: z.int().nullable(),
  error: DeliveryError,
  createdAt: instant,
  triedAt: instant.nullable(),
}

/** What a webhook is signed with, as the Standard Webhooks specification writes it: `whsec_` and a key in base64. */
export const SigningSecret = z.object({ secret: z.string() })
