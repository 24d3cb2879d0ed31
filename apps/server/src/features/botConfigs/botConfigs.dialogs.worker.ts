import { perProduct } from '../../platform/memory.ts'
import type { DueTools } from '../../platform/work/due.ts'
import { type Repeated, repeat } from '../../platform/work/repeat.ts'
import { answerDialog } from './botConfigs.answer.worker.ts'
import { type Claim, claimDialogs, renewClaims } from './botConfigs.dialogs.queries.ts'
import { settleThrown } from './botConfigs.settle.actions.ts'

export const DIALOGS = 'gpt'

/** Dialogs that one process runs, of all companies and of one. */
const SLOTS = 60

const SLOTS_OF_ONE = 20

const MAX_CLAIMED = 10

/** A lease that was not renewed for so long is claimed by another process. */
const LEASE_SECONDS = 12

const RENEWED_MS = 3_000

/** Longer than the time-out of a model: then the lease is not renewed any more. */
const MAX_HELD_MS = 40_000

/** The running dialogs of a process; a timer renews their leases. */
interface UnderWay {
  since: Map<Claim, number>
  renewing: Repeated | null
}

const running = perProduct((): UnderWay => ({ since: new Map(), renewing: null }))

/** Claims due dialogs and starts each without waiting for its model. After a crash they are claimed again when the lease is over. */
export async function workOffDialogs(tools: DueTools): Promise<boolean> {
  const underWay = running(tools)
  const { since } = underWay
  // half of what is free, so that each next company finds a slot
  const most = Math.min(Math.ceil((SLOTS - since.size) / 2), MAX_CLAIMED)
  if (most <= 0) return false
  const claimed = await tools.scopes
    .platform()
    .transaction(sql => claimDialogs(sql, most, busyIn(since), LEASE_SECONDS))
  for (const one of claimed) void runDialog(tools, underWay, one)
  return claimed.length === most
}

async function renewLeases({ scopes }: DueTools, since: UnderWay['since']): Promise<void> {
  const now = performance.now()
  const living = [...since].filter(([, from]) => now - from < MAX_HELD_MS).map(([claim]) => claim)
  if (living.length > 0) await scopes.platform().transaction(sql => renewClaims(sql, living, LEASE_SECONDS))
}

/** Companies with all their slots in use, or as many as are free: they leave these to others. */
function busyIn(since: UnderWay['since']): number[] {
  const counts = new Map<number, number>()
  for (const { companyId } of since.keys()) counts.set(companyId, (counts.get(companyId) ?? 0) + 1)
  const most = Math.min(SLOTS_OF_ONE, Math.max(1, SLOTS - since.size))
  return [...counts].filter(([, count]) => count >= most).map(([companyId]) => companyId)
}

async function runDialog(tools: DueTools, underWay: UnderWay, claim: Claim) {
  const { since } = underWay
  since.set(claim, performance.now())
  underWay.renewing ??= repeat(RENEWED_MS, () => renewLeases(tools, since), tools.log)
  try {
    await answerDialog(tools, claim)
  } catch (error) {
    const { companyId, id } = claim
    if (!tools.stopping()) {
      tools.log.error({ err: error, companyId, dialogId: id }, 'a dialog was not worked off')
      await giveUp(tools, claim)
    }
  } finally {
    since.delete(claim)
    if (since.size === 0) {
      void underWay.renewing?.stop()
      underWay.renewing = null
    }
  }
}

/** Counts the try. Where that fails too, the dialog is claimed again when its lease is over. */
async function giveUp(tools: DueTools, claim: Claim): Promise<void> {
  try {
    await settleThrown(tools.scopes.inCompany(claim.companyId), claim)
  } catch (error) {
    tools.log.error({ err: error, companyId: claim.companyId, dialogId: claim.id }, 'a try was not counted')
  }
}
