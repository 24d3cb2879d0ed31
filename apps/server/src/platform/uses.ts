import { refuse } from './errors.ts'
import { event } from './events.ts'
import type { Tx } from './scope.ts'

type Kind = 'queue' | 'user' | 'tag' | 'category' | 'flow' | 'prompt'

/** Before a row is deleted: a higher feature adds the names of what uses it. */
export const usesAsked = event<{ kind: Kind; id: number; bots: Set<string> }>('uses.asked')

/** Refuses with ERR_USED_BY_BOTS and their names, unless the caller knows. */
export async function refuseUsed(tx: Tx, kind: Kind, id: number, evenIfUsed: boolean): Promise<void> {
  if (evenIfUsed) return
  const bots = new Set<string>()
  await tx.involve(usesAsked, { kind, id, bots })
  if (bots.size > 0) refuse('ERR_USED_BY_BOTS', { details: { bots: [...bots] } })
}
