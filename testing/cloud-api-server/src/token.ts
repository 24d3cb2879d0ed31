import type { Account } from './account.ts'
import type { App } from './app.ts'
import { GraphError } from './graph-error.ts'

export type Permission = 'whatsapp_business_messaging' | 'whatsapp_business_management'

const DAY = 86_400_000

/** A system user's access token: what it may do, with which accounts, and until when. */
export class Token {
  value: string
  app: App
  accounts: Set<Account>
  permissions: Set<Permission>
  issuedAt: number
  /** Null: it does not expire. */
  expiresAt: number | null
  revoked = false

  constructor(
    value: string,
    app: App,
    accounts: Account[],
    permissions: Permission[],
    expiresAt: number | null,
  ) {
    this.value = value
    this.app = app
    this.accounts = new Set(accounts)
    this.permissions = new Set(permissions)
    this.issuedAt = app.state.clock.now()
    this.expiresAt = expiresAt
  }

  /** It expired a day ago. */
  expire(): void {
    this.expiresAt = this.app.state.clock.now() - DAY
  }

  /** Its owner took it back. */
  revoke(): void {
    this.revoked = true
  }

  /** Why it is invalid; undefined while it is valid. */
  problem(): GraphError | undefined {
    const now = this.app.state.clock.now()
    const dead = (subcode: number, why: string) =>
      new GraphError(`Error validating access token: ${why}`, { status: 401, code: 190, subcode })
    if (this.revoked)
      return dead(
        460,
        'The session has been invalidated because the user changed their password or Facebook has changed the session for security reasons.',
      )
    if (this.expiresAt === null || this.expiresAt > now) return undefined
    return dead(463, `Session has expired on ${moment(this.expiresAt)}. The current time is ${moment(now)}.`)
  }
}

/** The same without a token, or with one that Graph never gave. */
export const noToken = () =>
  new GraphError('An access token is required to request this resource.', { status: 400, code: 104 })
export const strangeToken = () =>
  new GraphError('Invalid OAuth access token - Cannot parse access token', { status: 401, code: 190 })

/** As Graph writes a moment: Saturday, 13-Jun-26 05:00:00 PDT. */
function moment(ms: number): string {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: 'America/Los_Angeles',
    weekday: 'long',
    day: '2-digit',
    month: 'short',
    year: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  }).formatToParts(ms)
  const part = (type: string) => parts.find(one => one.type === type)!.value
  const time = `${part('hour')}:${part('minute')}:${part('second')}`
  return `${part('weekday')}, ${part('day')}-${part('month')}-${part('year')} ${time} ${part('timeZoneName')}`
}
