import type { Account } from './account.ts'
import type { App } from './app.ts'
import type { Clock } from './clock.ts'
import type { Customer } from './customer.ts'
import type { Faults } from './faults.ts'
import type { Limits } from './limits.ts'
import type { Media } from './media.ts'
import type { SignUp } from './oauth.ts'
import type { PhoneNumber } from './phone-number.ts'
import type { Random } from './random.ts'
import type { Sent } from './sent.ts'
import type { Template } from './templates.ts'
import type { Token } from './token.ts'
import type { Webhooks } from './webhooks.ts'
import type { Work } from './work.ts'

/** One call of the Graph API with its answer. */
export interface GraphCall {
  at: number
  method: string
  /** With the version, without the query. */
  path: string
  /** Parameters of the query and the body; the parts of a form without its file. */
  params: Record<string, unknown>
  /** 0: never answered. */
  status: number
  /** Graph's error code, where it was refused. */
  code?: number
}

export type Node = App | Account | PhoneNumber | Template | Media

/** What every part of one server shares. */
export interface State {
  /** Where Graph is, without a version. */
  url: string
  clock: Clock
  random: Random
  faults: Faults
  limits: Limits
  work: Work
  webhooks: Webhooks
  /** Everything that Graph can name by an id. */
  nodes: Map<string, Node>
  tokens: Map<string, Token>
  /** By their codes. */
  signUps: Map<string, SignUp>
  customers: Customer[]
  /** Every message that was accepted, in order. */
  sent: Sent[]
  calls: GraphCall[]
  /** What Meta may know and this server does not. */
  unknown: string[]
  /** Failures inside the server itself; none may stay unseen. */
  errors: Error[]
}
