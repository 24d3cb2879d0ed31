import type { BotAct } from '@balcao/contract/bots.turn.rules.ts'
import type { Secrets } from '../../platform/access/secrets.ts'
import { refuse } from '../../platform/errors.ts'
import { idFrom } from '../../platform/ids.ts'
import type { WebhookOutbox } from '../../platform/outbound/webhook-deliveries.ts'
import { LONG_PAUSES, newSigningSecret } from '../../platform/outbound/webhooks.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { fromNow } from '../../platform/work/leases.ts'
import { lockManaged } from './bots.actions.ts'
import type { BotTurn } from './bots.acts.actions.ts'
import {
  callsDue,
  claimCall,
  findCall,
  insertCall,
  keepSecret,
  secretOf,
  settleCall,
} from './bots.calls.queries.ts'
import { callWritten } from './bots.events.ts'

type WebhookAct = Extract<BotAct, { kind: 'webhook' }>

/** Inserts the webhook call of a command into its outbox. */
export async function callOut(
  tx: Tx,
  { ticket, setup, cause, now, state }: BotTurn,
  act: WebhookAct,
  place: number,
) {
  const { contact } = ticket
  const body = {
    type: 'bot.command',
    timestamp: new Date(now).toISOString(),
    data: {
      command: { id: act.commandId, number: act.number },
      answer: act.answer,
      answers: state.answers.map(({ number, question, text }) => ({ number, question, answer: text })),
      contact: { id: contact.id, name: contact.name, number: contact.number, email: contact.email },
      ticket: { id: ticket.id, uuid: ticket.uuid, protocol: ticket.protocol, queueId: ticket.queueId },
    },
  }
  await insertCall(tx, {
    id: idFrom(`bot:${cause}:${place}`),
    botSetupId: setup.id,
    commandId: act.commandId,
    number: act.number,
    ticketId: ticket.id,
    url: act.url,
    body: JSON.stringify(body),
    dueAt: new Date(now).toISOString(),
  })
  tx.emit(callWritten, {})
}

/** The outbox of calls, polled by every worker. */
export const outcalls: WebhookOutbox<{ id: string }> = {
  due: callsDue,
  async claim(tx, id, secrets) {
    const claimed = await claimCall(tx, id)
    if (!claimed) return null
    const { url, body, attempts, botSetupId, until } = claimed
    return {
      id,
      attempts,
      until,
      webhook: { id, url, body, secret: await ensureSecret(tx, botSetupId, secrets) },
    }
  },
  settle: (tx, { id, until }, tried) => settleCall(tx, id, tried, until),
  pauses: LONG_PAUSES,
}

type Seal = Pick<Secrets, 'seal' | 'open'>

/** The secret that signs a bot's webhooks, made at its first use. */
async function ensureSecret(tx: Tx, botSetupId: number, secrets: Seal): Promise<string> {
  const kept = await secretOf(tx, botSetupId)
  if (kept) return secrets.open(tx.companyId, kept)
  const made = newSigningSecret()
  await keepSecret(tx, botSetupId, secrets.seal(tx.companyId, made))
  return made
}

/** The secret, for those who manage the bot. Refuses with ERR_NOT_FOUND, ERR_NO_PERMISSION. */
export const showSecret = (scope: Scope, botSetupId: number, secrets: Seal): Promise<{ secret: string }> =>
  scope.transaction(async tx => {
    await lockManaged(tx, botSetupId)
    return { secret: await ensureSecret(tx, botSetupId, secrets) }
  })

/** Sends a call of the log again under its id. Refuses with ERR_NOT_FOUND, ERR_NO_PERMISSION. */
export const callAgain = (scope: Scope, callId: string) =>
  scope.transaction(async tx => {
    const call = (await findCall(tx, callId)) ?? refuse('ERR_NOT_FOUND', { field: 'callId' })
    await lockManaged(tx, call.botSetupId)
    await settleCall(tx, callId, { state: 'waiting', dueAt: fromNow(0), attempts: 0 })
    tx.emit(callWritten, {})
    return (await findCall(tx, callId))!
  })
