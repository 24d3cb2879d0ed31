import type { BotState } from '@balcao/contract/bots.talk.ts'
import type { BotSetup } from '@balcao/contract/bots.ts'
import type { Message } from '@balcao/contract/messages.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'

/** When and where a turn happens. */
export interface Occasion {
  ticket: Ticket
  setup: BotSetup
  /** What the turn answers to: with it the same turn can never say the same thing twice. */
  cause: string
  /** What the customer wrote; null where nobody wrote. */
  message: Message | null
  now: number
  state: BotState
}
