import type { BotAct } from '@balcao/contract/bots.turn.rules.ts'
import { refuse } from '../../platform/errors.ts'
import { idFrom } from '../../platform/ids.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { WebhookOutbox } from '../../platform/webhooks.due.ts'
import { LONG_PAUSES, newSigningSecret } from '../../platform/webhooks.ts'
import { lockManaged } from './bots.actions.ts'
import type { Occasion } from './bots.cause.ts'
import { callWritten } from './bots.events.ts'
import {
  callsDue,
  claimCall,
  findCall,
  insertCall,
  keepSecret,
  secretOf,
  settleCall,
} from './bots.outcalls.ts'

type WebhookAct = Extract<BotAct, { kind: 'webhook' }>

/** Writes down that a command tells another system of a customer: it leaves by itself, and is tried again. */
export async function callOut(
  tx: Tx,
  { ticket, setup, cause, now, state }: Occasion,
  act: WebhookAct,
  place: number,
) {
  const { contact } = ticket
  const said = {
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
    body: JSON.stringify(said),
    dueAt: new Date(now).toISOString(),
  })
  tx.emit(callWritten, {})
}

/** How calls leave: looked for by every worker. */
export const outcalls: WebhookOutbox<{ id: string }> = {
  due: callsDue,
  async claim(tx, id, until, secrets) {
    const claimed = await claimCall(tx, id, until)
    if (!claimed) return null
    const { url, body, attempts, botSetupId } = claimed
    return { id, attempts, webhook: { id, url, body, secret: await ensureSecret(tx, botSetupId, secrets) } }
  },
  settle: (tx, { id, until }, tried) => settleCall(tx, id, tried, until),
  pauses: LONG_PAUSES,
}

type Seal = Pick<Secrets, 'seal' | 'open'>

/** What the webhooks of a bot are signed with, made when it is first asked for. */
async function ensureSecret(tx: Tx, botSetupId: number, secrets: Seal): Promise<string> {
  const kept = await secretOf(tx, botSetupId)
  if (kept) return secrets.open(tx.companyId, kept)
  const made = newSigningSecret()
  await keepSecret(tx, botSetupId, secrets.seal(tx.companyId, made))
  return made
}

/** For whoever manages the bot. Refuses with ERR_NOT_FOUND, ERR_NO_PERMISSION. */
export const showSecret = (scope: Scope, botSetupId: number, secrets: Seal): Promise<{ secret: string }> =>
  scope.transaction(async tx => {
    await lockManaged(tx, botSetupId)
    return { secret: await ensureSecret(tx, botSetupId, secrets) }
  })

/** Sends a call of the log again, under its first id. Refuses with ERR_NOT_FOUND, ERR_NO_PERMISSION. */
export const callAgain = (scope: Scope, callId: string) =>
  scope.transaction(async tx => {
    const call = (await findCall(tx, callId)) ?? refuse('ERR_NOT_FOUND', { field: 'callId' })
    await lockManaged(tx, call.botSetupId)
    const now = new Date().toISOString()
    await settleCall(tx, callId, { state: 'waiting', dueAt: now, attempts: 0 })
    tx.emit(callWritten, {})
    return (await findCall(tx, callId))!
  })
