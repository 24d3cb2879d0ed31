import { refuse } from '../../platform/errors.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, eq, inArray } from '../../platform/sql.ts'
import { setupsOf } from '../campaignSetups/campaignSetups.queries.ts'
import { wakeClocks } from './campaigns.clocks.ts'
import { clockSet } from './campaigns.events.ts'
import { pauseBySelf } from './campaigns.process.ts'
import { campaignDispatches, campaigns } from './campaigns.table.ts'
import { campaignsOn, runningWith } from './campaigns.turns.ts'

/** Running campaigns follow what their setup says now. */
export async function followSetup(tx: Tx, setupId: string): Promise<void> {
  const running = await runningWith(tx, setupId)
  for (const { id } of running) await wakeClocks(tx, id)
  if (running.length > 0) tx.emit(clockSet, {})
}

/** Refuses with ERR_SETUP_IN_USE while a campaign with it runs, rests or is planned; of others it is named no more. */
export async function letSetupGo(tx: Tx, setupId: string): Promise<void> {
  const its = and(eq(campaigns.companyId, tx.companyId), eq(campaigns.setupId, setupId))
  const [needing] = await tx.sql
    .select({ id: campaigns.id })
    .from(campaigns)
    .where(and(its, inArray(campaigns.status, ['scheduled', 'start', 'pause'])))
    .limit(1)
  if (needing) refuse('ERR_SETUP_IN_USE', { details: { campaignId: needing.id } })
  await tx.sql.update(campaigns).set({ setupId: null }).where(its)
}

/** What runs over this number alone stops. */
export async function loseConnection(tx: Tx, whatsappId: number): Promise<void> {
  const running = await campaignsOn(tx, whatsappId)
  const setups = await setupsOf(
    tx,
    running.flatMap(({ setupId }) => setupId ?? []),
  )
  for (const { id, setupId } of running) {
    const lines = setups.get(setupId ?? '')?.whatsapps ?? []
    const lost = lines.find(line => line.id === whatsappId)
    if (lines.length <= 1) await pauseBySelf(tx, id, 'disconnected', lost?.name ?? '')
  }
}

/** Campaigns of a user that goes are nobody's. */
export async function disownCampaigns(tx: Tx, userId: number): Promise<void> {
  await tx.sql
    .update(campaigns)
    .set({ userId: null })
    .where(and(eq(campaigns.companyId, tx.companyId), eq(campaigns.userId, userId)))
}

/** What a campaign said to a contact was said to another from now on, or to nobody that is known. */
export async function moveContact(tx: Tx, from: number, into: number | null): Promise<void> {
  await tx.sql
    .update(campaignDispatches)
    .set({ contactId: into })
    .where(and(eq(campaignDispatches.companyId, tx.companyId), eq(campaignDispatches.contactId, from)))
}
