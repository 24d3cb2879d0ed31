import { refuse } from '../../../platform/errors.ts'
import { together } from '../../../platform/postgres/db.ts'
import type { Tx } from '../../../platform/scope.ts'
import { campaignProgressed } from '../campaigns.events.ts'
import {
  type CampaignRow,
  type Counter,
  campaignRowOrNull,
  countPeople,
  type DispatchRow,
  progressOf,
  shownDispatch,
  updateDispatch,
} from '../campaigns.queries.ts'

interface Change {
  set: Partial<DispatchRow>
  /** What is added to the counts of the campaign, and what else it is set to. */
  counts?: Partial<Record<Counter, number>>
  campaign?: Partial<CampaignRow>
  /** Statements of the same packet, after these. */
  beside?: (() => PromiseLike<unknown>)[]
}

/** Changes a recipient with the counts of its campaign, and publishes both. Returns the campaign. Refuses with ERR_NOT_FOUND. */
export async function changeDispatch(
  tx: Tx,
  { id, campaignId }: Pick<DispatchRow, 'id' | 'campaignId'>,
  { set, counts = {}, campaign: known = {}, beside = [] }: Change,
): Promise<CampaignRow> {
  const isSet = Object.keys(set).length > 0
  const isCounted = Object.keys(counts).length + Object.keys(known).length > 0
  const [campaignDispatch, row] = await together(
    tx.sql,
    () => (isSet ? updateDispatch(tx, id, set) : shownDispatch(tx, id)),
    () => (isCounted ? countPeople(tx, campaignId, counts, known) : campaignRowOrNull(tx, campaignId)),
    ...beside,
  )
  if (!row) return refuse('ERR_NOT_FOUND', { field: 'campaignId' })
  if (campaignDispatch)
    tx.emit(campaignProgressed, {
      campaignId,
      push: {
        action: 'update',
        campaignDispatch,
        campaign: { id: row.id, status: row.status, ...progressOf(row) },
        sentCount: row.sent,
        failCount: row.failed,
      },
    })
  return row
}
