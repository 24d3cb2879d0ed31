import { Refusal } from './errors.ts'
import { perCompany } from './memory.ts'
import { allEnded, together } from './postgres/db.ts'
import { sql } from './postgres/sql.ts'
import type { Scope, Tx } from './scope.ts'
import { batching } from './work/group-commit.ts'

/** Each has prepared statements of its own on its connection; more would not be faster, since one connection answers all. */
export const LANES = 8

/**
 * Does several things beside each other in one transaction, so that their statements travel in the same packets: those of one
 * `key` one after the other, in their order. Answers in the order of the items. Fails when one of them does, once all have ended:
 * the transaction keeps nothing then.
 */
export async function inLanes<Item, Answer>(
  tx: Tx,
  items: Item[],
  { key }: { key(item: Item): unknown },
  work: (tx: Tx, item: Item) => Promise<Answer>,
): Promise<Answer[]> {
  const groups = [...Map.groupBy(items.keys(), at => key(items[at]!)).values()]
  const lanes = Map.groupBy(groups.keys(), at => at % LANES)
  const answers: Answer[] = []
  await allEnded(
    [...lanes].map(async ([lane, own]) => {
      for (const at of own.flatMap(group => groups[group]!)) {
        const item = items[at]!
        answers[at] = await work(tx.lane(lane, tx.viewer), item)
      }
    }),
  )
  return answers
}

/** Of work that only reads: a refusal is the answer of its piece; any other failure ends all. */
export const unlessRefused = <T>(work: Promise<T>): Promise<PromiseSettledResult<T>> =>
  work.then(
    value => ({ status: 'fulfilled', value }),
    reason => (reason instanceof Refusal ? { status: 'rejected', reason } : Promise.reject(reason)),
  )

/** Pieces of one commit: what they lock is locked for a short time. */
const AT_ONCE = 50
/** A batch that waits longer for a lock (ms) is given up: each piece then waits for its own. */
const LOCKED_MS = 250

/**
 * Work of which what comes for a company while earlier pieces are being stored shares the next commit: `work` gets all of it, in
 * the order of the keys, which say what a piece locks first, and answers each. A piece that is refused by what was read keeps
 * the others; where `work` fails, each piece is done by itself, those of one key one after the other.
 */
export function sharingCommits<Item extends { scope: Scope }, Answer, Key extends number | string>(
  work: (tx: Tx, items: Item[]) => Promise<PromiseSettledResult<Answer>[]>,
  keyOf: (item: Item) => Key,
) {
  const batchOf = perCompany(() =>
    batching((items: Item[], isAlone: boolean) => inOneCommit(items, isAlone, work, keyOf), {
      most: AT_ONCE,
      apart: keyOf,
    }),
  )
  return async (item: Item): Promise<Answer> => {
    const { scope } = item
    // a visitor's transaction cannot write: no other shares it
    const isShared = scope.viewer?.visitId === undefined
    const answer = isShared
      ? await batchOf(scope, scope.companyId)(item)
      : (await inOneCommit([item], true, work, keyOf))[0]!
    return answer.status === 'fulfilled' ? answer.value : Promise.reject(answer.reason)
  }
}

/** In the order of the keys, so that two batches lock in one order. */
function inOneCommit<Item extends { scope: Scope }, Answer, Key extends number | string>(
  items: Item[],
  isAlone: boolean,
  work: (tx: Tx, items: Item[]) => Promise<Answer[]>,
  keyOf: (item: Item) => Key,
): Promise<Answer[]> {
  const keys = items.map(keyOf)
  const order = [...items.keys()].sort((one, other) =>
    keys[one]! < keys[other]! ? -1 : keys[one]! > keys[other]! ? 1 : one - other,
  )
  const ordered = order.map(at => items[at]!)
  return items[0]!.scope.transaction(async tx => {
    const doAll = () => work(tx, ordered)
    const doBounded = async () => (await together(tx.sql, () => boundLocks(tx, LOCKED_MS), doAll))[1]
    const answers = await (isAlone ? doAll() : doBounded())
    const inPlace: Answer[] = []
    for (const [nth, at] of order.entries()) inPlace[at] = answers[nth]!
    return inPlace
  })
}

/** From now on a statement of the transaction that waits longer for a lock fails (ms): one locked row does not hold up all lanes. */
const boundLocks = (tx: Tx, ms: number) => tx.sql.execute(sql.raw(`set local lock_timeout = ${ms}`))
