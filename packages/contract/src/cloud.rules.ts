/** WhatsApp's own limits on the official API (Meta, "Messages"). */
export const MAX_CLOUD_TEXT = 4_096
export const MAX_CLOUD_CAPTION = 1_024

/** After this moment only templates may be written; null is never over. */
export const repliesAreOver = (repliesUntil: string | null, now: number) =>
  repliesUntil !== null && Date.parse(repliesUntil) <= now
