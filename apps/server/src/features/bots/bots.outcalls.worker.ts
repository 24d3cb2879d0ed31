import type { WebhookOutbox } from '../../platform/outbound/webhook-deliveries.ts'
import { LONG_PAUSES } from '../../platform/outbound/webhooks.ts'
import { lockTicket } from '../tickets/tickets.queries.ts'
import { hearAnswer } from './bots.answers.actions.ts'
import { callsDue, claimCall, settleCall } from './bots.calls.queries.ts'
import { signingSecretOf } from './bots.calls.worker.ts'

interface Outcall {
  id: string
  /** The ticket whose conversation waits for the answer. */
  waiting: { ticketId: number; botSetupId: number; commandId: number } | null
}

/** The outbox of calls, polled by every worker. One whose answer a conversation waits for is tried once. */
export const outcalls: WebhookOutbox<Outcall> = {
  due: callsDue,
  async claim(tx, id, secrets) {
    const claimed = await claimCall(tx, id)
    if (!claimed) return null
    const { url, body, attempts, botSetupId, commandId, ticketId, awaitedSeconds, until } = claimed
    const secret = await signingSecretOf(tx, botSetupId, secrets)
    if (awaitedSeconds === null || ticketId === null)
      return { id, attempts, until, waiting: null, webhook: { id, url, body, secret } }
    const waiting = { ticketId, botSetupId, commandId }
    const webhook = { id, url, body, secret, answerMs: awaitedSeconds * 1_000 }
    return { id, attempts, until, waiting, webhook, pauses: [] }
  },
  async settle(tx, { id, until, waiting }, tried, answer) {
    // the ticket's row is the first that is locked, also by whoever deletes its calls
    if (waiting) await lockTicket(tx, waiting.ticketId)
    const isLast = await settleCall(tx, id, tried, until)
    if (waiting && isLast)
      await hearAnswer(tx, waiting, `${id} ${until}`, tried.state === 'done' ? (answer ?? '') : null)
  },
  pauses: LONG_PAUSES,
}
