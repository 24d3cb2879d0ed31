import { refuse } from '../../platform/errors.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import type { WebhookOutbox } from '../../platform/webhooks.due.ts'
import { ensureSecret } from '../campaignSetups/campaignSetups.actions.ts'
import { setupOrNull } from '../campaignSetups/campaignSetups.queries.ts'
import { ownCompany } from '../companies/companies.queries.ts'
import {
  claimConclusion,
  conclusionsDue,
  findConclusion,
  outcomes,
  settleConclusion,
} from './campaigns.calls.ts'
import { lockManagedCampaign } from './campaigns.checks.ts'
import { conclusionWritten } from './campaigns.events.ts'
import { lookAt } from './campaigns.queries.ts'

/** Three tries (OP-95), with these pauses between them. */
const PAUSES = [30_000, 300_000]
/** Those under way when somebody finalized it are waited for. */
const UNDER_WAY_MS = 2_000

/** How conclusions leave: looked for by every worker. */
export const conclusions: WebhookOutbox<{ id: string }> = {
  due: conclusionsDue,
  async claim(tx, id, until, secrets) {
    const call = await claimConclusion(tx, id, until)
    if (!call) return null
    const { url, attempts } = call
    if ((await lookAt(tx, call.campaignId)).sending > 0) return later(tx, id, attempts)
    const secret = await ensureSecret(tx, call.setupId, secrets)
    return secret === null
      ? giveUp(tx, id)
      : { id, attempts, webhook: { id, url, body: await bodyOf(tx, call), secret } }
  },
  settle: (tx, { id, until }, tried) => settleConclusion(tx, id, tried, until),
  pauses: PAUSES,
}

async function later(tx: Tx, id: string, attempts: number) {
  const dueAt = new Date(Date.now() + UNDER_WAY_MS).toISOString()
  await settleConclusion(tx, id, { dueAt, attempts: attempts - 1 })
  return null
}

/** The setup is gone, and with it what the call is signed with. */
async function giveUp(tx: Tx, id: string) {
  await settleConclusion(tx, id, { state: 'failed', status: 410, dueAt: null })
  return null
}

/** In the documents' words and spelling (automation §3; OP-95). */
async function bodyOf(tx: Tx, { campaignId, setupId }: { campaignId: number; setupId: string }) {
  const { name, myId, myDetails } = await lookAt(tx, campaignId)
  const { companyName } = await ownCompany(tx)
  const setupName = (await setupOrNull(tx, setupId))?.name ?? ''
  return JSON.stringify({
    campaignId,
    campaingnName: name,
    campaignDispatchs: await outcomes(tx, campaignId),
    myDetails: myDetails ?? { campaignSetup: setupName, company: companyName },
    myId: myId ?? campaignId,
  })
}

/** Sends a call of the log again, under its first id. Refuses with ERR_NOT_FOUND, ERR_NO_PERMISSION. */
export const concludeAgain = (scope: Scope, callId: string) =>
  scope.transaction(async tx => {
    const call = (await findConclusion(tx, callId)) ?? refuse('ERR_NOT_FOUND', { field: 'callId' })
    await lockManagedCampaign(tx, call.campaignId)
    await settleConclusion(tx, callId, { state: 'waiting', dueAt: new Date().toISOString(), attempts: 0 })
    tx.emit(conclusionWritten, {})
    return (await findConclusion(tx, callId))!
  })
