import { cut } from './cut.rules.ts'
import type { Referral } from './media.ts'

/** Maximum of a key: an index entry of PostgreSQL is smaller than 2,700 bytes. */
export const MAX_KEY = 600

/** What identifies an ad, a post or a product among those of a company: its id, else its address. */
export const referralKey = ({ type, sourceId, sourceUrl, catalogId }: Referral): string =>
  cut([type, catalogId, sourceId || sourceUrl].filter(Boolean).join(' '), MAX_KEY)
