import type { BotAct } from '@balcao/contract/bots.acts.ts'
import type { Secrets } from '../../platform/access/secrets.ts'
import { refuse } from '../../platform/errors.ts'
import { idFrom } from '../../platform/ids.ts'
import { newSigningSecret } from '../../platform/outbound/webhooks.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { fromNow } from '../../platform/work/leases.ts'
import { lockManaged } from './bots.actions.ts'
import type { BotTurn } from './bots.acts.actions.ts'
import { findCall, insertCall, keepSecret, secretOf, settleCall } from './bots.calls.queries.ts'
import { callWritten } from './bots.events.ts'

type CallAct = Extract<BotAct, { kind: 'webhook' | 'ask' }>

/** Inserts a call of a command into the outbox; `awaitedSeconds`: the conversation waits for its answer. */
export async function callOut(
  tx: Tx,
  { ticket, setup, cause, now, state }: BotTurn,
  act: CallAct,
  place: number,
  awaitedSeconds: number | null = null,
) {
  const { contact } = ticket
  const body = {
    type: 'bot.command',
    timestamp: new Date(now).toISOString(),
    data: {
      command: { id: act.commandId, number: act.number },
      answer: act.answer,
      variables: state.variables,
      answers: state.answers.map(({ number, question, text, file }) => ({
        ...{ number, question, answer: text },
        ...(file && { file }),
      })),
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
    awaitedSeconds,
    dueAt: new Date(now).toISOString(),
  })
  tx.emit(callWritten, {})
}

type Seal = Pick<Secrets, 'seal' | 'open'>

/** The secret that signs a bot's webhooks, made at its first use. */
export async function signingSecretOf(tx: Tx, botSetupId: number, secrets: Seal): Promise<string> {
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
    return { secret: await signingSecretOf(tx, botSetupId, secrets) }
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
