import type { Platform } from '../../platform/app.ts'
import { perCompany, perProduct } from '../../platform/memory.ts'
import type { Scopes } from '../../platform/scope.ts'
import { batching } from '../../platform/work/group-commit.ts'
import { countUses, type Use } from './secretUses.queries.ts'
import { openUseCounts } from './secretUses.rules.ts'

type Counting = Pick<Platform, 'scopes' | 'memory'>

/**
 * Counts a call of a program in the name of a user. The first that this process receives with a secret from a network is in the
 * database before it is answered; further ones within a few seconds, and before the process ends: one that is killed loses
 * only those.
 */
export async function countSecretUse(
  platform: Counting,
  { companyId, userId, kind, secret, name, call, network }: Use,
): Promise<void> {
  const use = { companyId, userId, kind, secret, name, call, network }
  const counts = countsOf(platform)
  if (counts.add(use)) return
  await firstOf(platform, companyId)(use)
  counts.know(use)
}

/** Writes what is counted so far. What fails is counted with the next. */
export async function writeSecretUses(platform: Counting): Promise<void> {
  const counts = countsOf(platform)
  const uses = counts.take()
  if (uses.length === 0) return
  try {
    await write(platform.scopes, uses)
  } catch (error) {
    counts.giveBack(uses)
    throw error
  }
}

/** The same when the process ends: from now on each call is written by itself. */
export async function endSecretUses(platform: Counting): Promise<void> {
  countsOf(platform).end()
  await writeSecretUses(platform)
}

const countsOf = perProduct(() => openUseCounts())

/** First calls of one company that come at the same time share a commit. */
const firstOf = perCompany(({ scopes }: Counting) =>
  batching(async (uses: Use[]) => {
    await write(
      scopes,
      uses.map(use => ({ ...use, times: 1 })),
    )
    return uses.map(() => undefined)
  }),
)

const write = (scopes: Scopes, uses: Parameters<typeof countUses>[1]) =>
  scopes.platform().transaction(sql => countUses(sql, uses))
