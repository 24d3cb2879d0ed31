import { LRUCache } from 'lru-cache'
import type { Platform } from '../../platform/app.ts'
import { perProduct } from '../../platform/memory.ts'
import { batching } from '../../platform/work/group-commit.ts'
import { countUses, type Use } from './secretUses.queries.ts'

/** Counts a call of a program in the name of a user; calls of one company that come at the same time share a commit. */
export const countSecretUse = (
  platform: Platform,
  { companyId, userId, kind, secret, name, call, network }: Use,
): Promise<void> => {
  const batches = batchesOf(platform)
  const batch = batches.get(companyId) ?? batchOf(platform)
  batches.set(companyId, batch)
  return batch({ companyId, userId, kind, secret, name, call, network })
}

type Batch = (use: Use) => Promise<void>

/** By company: what waits for a lock of one holds up no other. */
const batchesOf = perProduct(() => new LRUCache<number, Batch>({ max: 1_000 }))

const batchOf = ({ scopes }: Platform): Batch =>
  batching(async uses => {
    await scopes.platform().transaction(sql => countUses(sql, uses))
    return uses.map(() => undefined)
  })
