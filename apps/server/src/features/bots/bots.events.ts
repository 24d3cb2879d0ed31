import type { BotSession } from '@balcao/contract/bots.talk.ts'
import type { botChannel } from '@balcao/contract/bots.ts'
import type { Push } from '@balcao/contract/kit.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { event } from '../../platform/events.ts'

/** A bot or one of its commands changed. */
export const botChanged = event<Push<typeof botChannel>>('bot.changed')

/** The bot's session of a ticket changed. */
export const botTurned = event<{ ticket: Ticket; session: BotSession }>('bot.turned')

/** A call to another system is due. */
export const callWritten = event<Record<never, never>>('bot.call')
