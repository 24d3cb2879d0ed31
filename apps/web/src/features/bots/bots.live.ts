import { botChannel, botSessionChannel } from '@balcao/contract/bots.ts'
import { followList } from '../../platform/lists.ts'
import { listen } from '../../platform/live.ts'
import { patchByPush } from '../../platform/query.ts'

/** The setups, and the script of each of them. */
export const BOT_SETUPS = ['botSetups']
export const BOTS = ['bots']

/** The bot session of each ticket is cached under its ticket. */
export const botSessionKey = (ticketId: number) => ['botSessions', ticketId]

export function followBots(): () => void {
  const stops = [
    followList(botChannel, BOT_SETUPS),
    followList(botChannel, BOTS),
    listen(botSessionChannel, ({ ticketId, session }) =>
      patchByPush(botSessionKey(ticketId), () => ({ session })),
    ),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
