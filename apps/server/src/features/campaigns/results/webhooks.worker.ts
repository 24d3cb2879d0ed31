import { databaseTime } from '../../../platform/clock.ts'
import { refuse } from '../../../platform/errors.ts'
import { idFrom } from '../../../platform/ids.ts'
import type { WebhookOutbox } from '../../../platform/outbound/webhook-deliveries.ts'
import type { Scope, Tx } from '../../../platform/scope.ts'
import { fromNow } from '../../../platform/work/leases.ts'
import { ensureSecret } from '../../campaignSetups/campaignSetups.actions.ts'
import { setupOrNull } from '../../campaignSetups/campaignSetups.queries.ts'
import { ownCompany } from '../../companies/companies.queries.ts'
import { conclusionWritten } from '../campaigns.events.ts'
import { type CampaignRow, findCampaignRow, lockManagedCampaign } from '../campaigns.queries.ts'
import {
  claimConclusion,
  conclusionsDue,
  findConclusion,
  insertConclusion,
  listOutcomes,
  settleConclusion,
} from './results.queries.ts'

/** Inserts the call of the setup's webhook for a finalized campaign, once however often it is finalized. */
export async function callConcluded(tx: Tx, { id: campaignId, setupId }: CampaignRow): Promise<void> {
  const setup = await setupOrNull(tx, setupId)
  if (!setup?.webhookUrlConcluded) return
  await insertConclusion(tx, {
    id: idFrom(`campaign:${tx.companyId}:${campaignId}:concluded`),
    campaignId,
    setupId: setup.id,
    url: setup.webhookUrlConcluded,
    dueAt: databaseTime(),
  })
  tx.emit(conclusionWritten, {})
}

/** Three tries (OP-95), with these pauses between them. */
const PAUSES = [30_000, 300_000]

/** The call waits while recipients are `sending`. */
const UNDER_WAY_MS = 2_000

/** The outbox of conclusions, polled by every worker. */
export const conclusions: WebhookOutbox<{ id: string }> = {
  due: conclusionsDue,
  async claim(tx, id, secrets) {
    const call = await claimConclusion(tx, id)
    if (!call) return null
    const { url, attempts, until } = call
    if ((await findCampaignRow(tx, call.campaignId)).sending > 0) return later(tx, id, attempts)
    const secret = await ensureSecret(tx, call.setupId, secrets)
    return secret === null
      ? giveUp(tx, id)
      : { id, attempts, until, webhook: { id, url, body: await bodyOf(tx, call), secret } }
  },
  settle: (tx, { id, until }, tried) => settleConclusion(tx, id, tried, until),
  pauses: PAUSES,
}

async function later(tx: Tx, id: string, attempts: number) {
  await settleConclusion(tx, id, { dueAt: fromNow(UNDER_WAY_MS), attempts: attempts - 1 })
  return null
}

/** The setup was deleted, and with it the secret that signs the call. */
async function giveUp(tx: Tx, id: string) {
  await settleConclusion(tx, id, { state: 'failed', status: 410, dueAt: null })
  return null
}

/** Field names and their spelling are the documents' (automation §3; OP-95). */
async function bodyOf(tx: Tx, { campaignId, setupId }: { campaignId: number; setupId: string }) {
  const { name, myId, myDetails } = await findCampaignRow(tx, campaignId)
  const { companyName } = await ownCompany(tx)
  const setupName = (await setupOrNull(tx, setupId))?.name ?? ''
  return JSON.stringify({
    campaignId,
    campaingnName: name,
    campaignDispatchs: await listOutcomes(tx, campaignId),
    myDetails: myDetails ?? { campaignSetup: setupName, company: companyName },
    myId: myId ?? campaignId,
  })
}

/** Sends a call of the log again under its id. Refuses with ERR_NOT_FOUND, ERR_NO_PERMISSION. */
export const concludeAgain = (scope: Scope, callId: string) =>
  scope.transaction(async tx => {
    const call = (await findConclusion(tx, callId)) ?? refuse('ERR_NOT_FOUND', { field: 'callId' })
    await lockManagedCampaign(tx, call.campaignId)
    await settleConclusion(tx, callId, { state: 'waiting', dueAt: fromNow(0), attempts: 0 })
    tx.emit(conclusionWritten, {})
    return (await findConclusion(tx, callId))!
  })
