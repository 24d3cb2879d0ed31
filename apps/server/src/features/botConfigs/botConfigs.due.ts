import type { DueTools } from '../../platform/due.ts'
import { answerDialog } from './botConfigs.answer.ts'
import { type Claim, claimDialogs, renewClaims } from './botConfigs.store.ts'

export const DIALOGS = 'gpt'

/** Conversations that one process has under way, of all companies and of one. */
const SLOTS = 60
const SLOTS_OF_ONE = 20
/** Claimed at once. */
const HANDFUL = 10
/** Who has not said for so long that it lives is gone, and somebody else asks the model. */
const LEASE_SECONDS = 12
const RENEWED_MS = 3_000
/** Longer than a model may think: whoever has not finished by then does not keep others from it any more. */
const LONGEST_MS = 80_000

/** What each process has under way, and when it last said so. */
interface UnderWay {
  since: Map<Claim, number>
  saidAt: number
}
const everything = new WeakMap<DueTools['scopes'], UnderWay>()

/**
 * Claims dialogs that are due and lets each go its way: nobody waits here for a model, so that a slow one holds up its
 * own conversation and no other. What dies with the process is claimed again when its lease is over.
 */
export async function workOffDialogs(tools: DueTools): Promise<boolean> {
  const underWay = everything.get(tools.scopes) ?? { since: new Map(), saidAt: 0 }
  everything.set(tools.scopes, underWay)
  await sayAlive(tools, underWay)
  const { since } = underWay
  const most = Math.min(SLOTS - since.size, HANDFUL)
  if (most <= 0) return false
  const claimed = await tools.scopes
    .platform()
    .transaction(sql => claimDialogs(sql, most, busyIn(since), LEASE_SECONDS))
  for (const one of claimed) void letGo(tools, since, one)
  return claimed.length === most
}

/** Every look of the workers passes here, so what is under way keeps its leases as long as this process lives. */
async function sayAlive({ scopes }: DueTools, underWay: UnderWay): Promise<void> {
  const now = Date.now()
  if (now - underWay.saidAt < RENEWED_MS) return
  underWay.saidAt = now
  const living = [...underWay.since].filter(([, from]) => now - from < LONGEST_MS).map(([claim]) => claim)
  if (living.length > 0) await scopes.platform().transaction(sql => renewClaims(sql, living, LEASE_SECONDS))
}

/** Companies that have enough under way. */
function busyIn(since: UnderWay['since']): number[] {
  const counts = new Map<number, number>()
  for (const { companyId } of since.keys()) counts.set(companyId, (counts.get(companyId) ?? 0) + 1)
  return [...counts].filter(([, count]) => count >= SLOTS_OF_ONE).map(([companyId]) => companyId)
}

async function letGo(tools: DueTools, since: UnderWay['since'], claim: Claim) {
  since.set(claim, Date.now())
  try {
    await answerDialog(tools, claim)
  } catch (error) {
    // its lease ends, and somebody tries again
    const { companyId, id } = claim
    if (!tools.stopping())
      tools.log.error({ err: error, companyId, dialogId: id }, 'a dialog was not worked off')
  } finally {
    since.delete(claim)
  }
}
