import type { SavedView, SavedViewInput } from '@balcao/contract/views.ts'
import { refuse } from '../../platform/errors.ts'
import { and, asc, eq, or, type SQL, sql as tag } from '../../platform/postgres/sql.ts'
import { type Tx, viewerOf } from '../../platform/scope.ts'
import { savedViews } from './views.table.ts'

const shownTo = (tx: Tx) => ({
  id: savedViews.id,
  name: savedViews.name,
  shared: savedViews.shared,
  mine: tag<boolean>`${savedViews.userId} is not distinct from ${viewerOf(tx).id}::int`.as('mine'),
  filters: savedViews.filters,
  sort: savedViews.sort,
  position: savedViews.position,
})

/** The viewer's own views and the shared ones, in their order. */
export const selectViews = (tx: Tx): PromiseLike<SavedView[]> =>
  tx.sql
    .select(shownTo(tx))
    .from(savedViews)
    .where(and(eq(savedViews.companyId, tx.companyId), isSeen(tx)))
    .orderBy(asc(savedViews.position), tag`folded(${savedViews.name})`, asc(savedViews.id))

/** Refuses with ERR_NOT_FOUND, also for an own view of somebody else. */
export async function lockView(tx: Tx, viewId: number): Promise<SavedView> {
  const [view] = await tx.sql
    .select(shownTo(tx))
    .from(savedViews)
    .where(and(byId(tx, viewId), isSeen(tx)))
    .for('update')
  return view ?? refuse('ERR_NOT_FOUND', { field: 'viewId' })
}

/** Views of the company are added in turn, so that no more than the most come. */
export const lockViews = (tx: Tx) =>
  tx.sql.execute(tag`select pg_advisory_xact_lock(hashtext('savedViews'), ${tx.companyId})`)

export async function insertView(tx: Tx, { shared = false, ...given }: SavedViewInput): Promise<SavedView> {
  const [view] = await tx.sql
    .insert(savedViews)
    .values({ ...given, shared, companyId: tx.companyId, userId: viewerOf(tx).id })
    .returning(shownTo(tx))
  return view!
}

/** What is left out stays; one that is no longer shared is the viewer's own. */
export async function updateView(
  tx: Tx,
  viewId: number,
  given: Partial<SavedViewInput> & { userId?: number },
): Promise<SavedView> {
  const [view] = await tx.sql
    .update(savedViews)
    .set({ ...given, id: savedViews.id })
    .where(byId(tx, viewId))
    .returning(shownTo(tx))
  return view!
}

export const deleteView = (tx: Tx, viewId: number) => tx.sql.delete(savedViews).where(byId(tx, viewId))

/** A user is deleted: the own views go too, the shared ones stay without a maker. */
export async function leaveViews(tx: Tx, userId: number): Promise<void> {
  const made = and(eq(savedViews.companyId, tx.companyId), eq(savedViews.userId, userId))
  await tx.sql.delete(savedViews).where(and(made, eq(savedViews.shared, false)))
  await tx.sql.update(savedViews).set({ userId: null }).where(made)
}

const byId = (tx: Tx, viewId: number) =>
  and(eq(savedViews.companyId, tx.companyId), eq(savedViews.id, viewId))

const isSeen = (tx: Tx): SQL | undefined =>
  or(eq(savedViews.shared, true), eq(savedViews.userId, viewerOf(tx).id))
