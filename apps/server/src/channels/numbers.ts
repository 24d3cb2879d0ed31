import type { ChannelSession } from '../driver.ts'
import {
  type NumberAsked,
  type NumberTold,
  numberToldTopic,
} from '../features/connections/connections.events.ts'
import type { Platform } from '../platform/app.ts'

/** Tells whoever asked whether a number has WhatsApp, or that the network did not say. */
export async function tellNumber(
  { signals, log }: Pick<Platform, 'signals' | 'log'>,
  session: ChannelSession,
  { question, number }: NumberAsked,
): Promise<void> {
  const told = await find(session, number).catch((error: unknown): NumberTold => {
    log.warn({ err: error }, 'WhatsApp did not say whether a number exists')
    return { number: null, failed: true }
  })
  signals.notify(numberToldTopic(question), told)
}

async function find(session: ChannelSession, number: string): Promise<NumberTold> {
  if (!session.find || !session.ready()) return { number: null, failed: true }
  return { number: await session.find(number), failed: false }
}
