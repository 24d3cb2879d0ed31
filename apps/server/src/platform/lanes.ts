import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import { allEnded } from './postgres/db.ts'
import { sql } from './postgres/sql.ts'
import type { Tx } from './scope.ts'

/** Each has prepared statements of its own on its connection; more would not be faster, since one connection answers all. */
const LANES = 8

/**
 * Does several things beside each other in one transaction, so that their statements travel in the same packets: those of one
 * `key` one after the other, in their order, each as the user that `as` answers. Answers in the order of the items. Fails when
 * one of them does, once all have ended: the transaction keeps nothing then.
 */
export async function inLanes<Item, Answer>(
  tx: Tx,
  items: Item[],
  { key, as }: { key(item: Item): unknown; as?(item: Item): Viewer | null },
  work: (tx: Tx, item: Item) => Promise<Answer>,
): Promise<Answer[]> {
  const groups = [...Map.groupBy(items.keys(), at => key(items[at]!)).values()]
  const lanes = Map.groupBy(groups.keys(), at => at % LANES)
  const answers: Answer[] = []
  await allEnded(
    [...lanes].map(async ([lane, own]) => {
      for (const at of own.flatMap(group => groups[group]!)) {
        const item = items[at]!
        answers[at] = await work(tx.lane(lane, as ? as(item) : tx.viewer), item)
      }
    }),
  )
  return answers
}

/** From now on a statement of the transaction that waits longer for a lock fails (ms): one locked row does not hold up all lanes. */
export const boundLocks = (tx: Tx, ms: number) => tx.sql.execute(sql.raw(`set local lock_timeout = ${ms}`))
