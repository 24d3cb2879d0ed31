import { type SavedView, VIEW_COUNTED_AT_MOST } from '@balcao/contract/views.ts'
import { LRUCache } from 'lru-cache'
import { perProduct } from '../../platform/memory.ts'
import { type Scope, type Tx, viewerOf } from '../../platform/scope.ts'
import { countList } from '../tickets/lists/lists.queries.ts'
import { selectViews } from './views.queries.ts'

/** So many views of one user are counted; those behind them show no number. */
const COUNTED = 30
/** Screens ask again while tickets move. */
const KEPT_MS = 2_000
const KEPT = 20_000

const countsOf = perProduct(() => new LRUCache<string, number>({ max: KEPT, ttl: KEPT_MS }))

/** The views that the viewer has, with how many tickets of each the viewer sees. */
export const listViews = (scope: Scope): Promise<SavedView[]> =>
  scope.list(async tx => {
    const views = await selectViews(tx)
    const counted: SavedView[] = []
    for (const [at, view] of views.entries())
      counted.push(at < COUNTED && isCountable(view) ? { ...view, count: await countOf(tx, view) } : view)
    return counted
  })

/** What is found by words is not counted: that costs as much as the search. */
const isCountable = ({ filters }: SavedView) => !filters.searchParam

async function countOf(tx: Tx, { filters }: SavedView): Promise<number> {
  const counts = countsOf(tx)
  const { id, queueIds } = viewerOf(tx)
  const key = JSON.stringify([tx.companyId, id, queueIds, filters])
  const known = counts.get(key)
  if (known !== undefined) return known
  const count = await countList(tx, filters, VIEW_COUNTED_AT_MOST + 1)
  counts.set(key, count)
  return count
}
