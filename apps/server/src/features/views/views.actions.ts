import { may } from '@balcao/contract/permissions.rules.ts'
import { MAX_VIEWS, type SavedView, type SavedViewInput } from '@balcao/contract/views.ts'
import { refuse } from '../../platform/errors.ts'
import { type Scope, type Tx, viewerOf } from '../../platform/scope.ts'
import { viewChanged } from './views.events.ts'
import { deleteView, insertView, lockView, lockViews, selectViews, updateView } from './views.queries.ts'

/** Refuses with ERR_NO_PERMISSION where it is shared without the right to, and with ERR_TOO_MANY_KEPT. */
export const addView = (scope: Scope, given: SavedViewInput): Promise<SavedView> =>
  scope.transaction(async tx => {
    const { shared = false } = given
    if (shared) refuseSharing(tx)
    await refuseMore(tx, shared)
    const view = await insertView(tx, given)
    announce(tx, view, shared)
    return view
  })

/** Refuses with ERR_NOT_FOUND, ERR_NO_PERMISSION and ERR_TOO_MANY_KEPT. */
export const changeView = (
  scope: Scope,
  viewId: number,
  given: Partial<SavedViewInput>,
): Promise<SavedView> =>
  scope.transaction(async tx => {
    const before = await lockView(tx, viewId)
    const { shared = before.shared } = given
    if (before.shared || shared) refuseSharing(tx)
    if (shared !== before.shared) await refuseMore(tx, shared)
    // a shared view that becomes an own one belongs to whoever took it
    const taken = before.shared && !shared ? { userId: viewerOf(tx).id } : {}
    const view = await updateView(tx, viewId, { ...given, ...taken })
    announce(tx, view, shared || before.shared)
    return view
  })

/** Refuses with ERR_NOT_FOUND and ERR_NO_PERMISSION. */
export const removeView = (scope: Scope, viewId: number): Promise<void> =>
  scope.transaction(async tx => {
    const before = await lockView(tx, viewId)
    if (before.shared) refuseSharing(tx)
    await deleteView(tx, viewId)
    announce(tx, before, before.shared)
  })

function refuseSharing(tx: Tx) {
  if (!may(viewerOf(tx), 'views:share')) refuse('ERR_NO_PERMISSION', { field: 'shared' })
}

async function refuseMore(tx: Tx, shared: boolean) {
  await lockViews(tx)
  const there = await selectViews(tx)
  if (there.filter(view => view.shared === shared).length >= MAX_VIEWS) refuse('ERR_TOO_MANY_KEPT')
}

const announce = (tx: Tx, { id }: SavedView, shared: boolean) =>
  tx.emit(viewChanged, { viewId: id, userId: shared ? null : viewerOf(tx).id })
