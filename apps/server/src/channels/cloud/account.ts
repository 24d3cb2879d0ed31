import { z } from 'zod'
import type { AccountNews } from '../../features/cloud/cloud.rules.ts'

/** Pages "account_update webhook reference" and "Policy enforcement". */
const Update = z.object({
  event: z.string().max(100),
  ban_info: z
    .object({
      // one state, though the page shows a list of them
      waba_ban_state: z.union([z.string(), z.tuple([z.string()]).transform(([state]) => state)]),
      waba_ban_date: z.string().max(100).default(''),
    })
    .optional(),
  restriction_info: z
    .array(
      z.object({
        restriction_type: z.string().max(100),
        expiration: z.union([z.string().max(50), z.number()]).nullish(),
      }),
    )
    .max(20)
    .optional(),
  violation_info: z.object({ violation_type: z.string().max(100) }).optional(),
})

const BANS = ['SCHEDULE_FOR_DISABLE', 'DISABLE']

/** All that an `account_update` says of the account. */
export function accountNewsOf(value: unknown, at: string): AccountNews[] {
  const { data } = Update.safeParse(value)
  if (!data) return []
  const { ban_info: ban, restriction_info: restrictions, violation_info: violation } = data
  const news: AccountNews[] = []
  if (ban?.waba_ban_state === 'REINSTATE') news.push({ banState: '', banDate: '', banAt: at })
  if (ban && BANS.includes(ban.waba_ban_state))
    news.push({ banState: ban.waba_ban_state, banDate: ban.waba_ban_date, banAt: at })
  if (restrictions) {
    const read = restrictions.map(({ restriction_type: type, expiration }) => ({
      type,
      until: momentOf(expiration),
    }))
    news.push({ restrictions: read, restrictedAt: at })
  }
  if (violation) news.push({ violation: violation.violation_type, violatedAt: at })
  return news
}

/** Among the news of the account: it was given back. */
export const RECONNECTED = 'reconnected'

/** Events by which Meta gives a number back that it, or its owner, had taken off: docs/channels.md lists all events. */
const GIVEN_BACK = ['ACCOUNT_RECONNECTED', 'PARTNER_ADDED', 'PARTNER_APP_INSTALLED']

/** Whether an `account_update` gives the account back. */
export const isGivenBack = (value: unknown): boolean => {
  const { data } = Update.safeParse(value)
  return data !== undefined && GIVEN_BACK.includes(data.event)
}

const TOLD = ['ban_info', 'restriction_info', 'violation_info']

/** Whether an `account_update` says something of the account, in whatever shape. */
export const tellsOfAccount = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && TOLD.some(name => name in value)

/** Seconds, or a moment as text; null for what is neither. */
function momentOf(given: string | number | null | undefined): string | null {
  const isSeconds = typeof given === 'number' || /^\d+$/.test(given ?? '')
  const ms = isSeconds ? Number(given) * 1000 : Date.parse(given ?? '')
  return Math.abs(ms) < 8.64e15 ? new Date(ms).toISOString() : null
}
