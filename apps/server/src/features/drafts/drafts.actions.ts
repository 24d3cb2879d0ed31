import type { KeptDraft } from '@balcao/contract/drafts.ts'
import { canRead } from '@balcao/contract/tickets.rules.ts'
import { refuse } from '../../platform/errors.ts'
import { type Scope, type Tx, viewerOf } from '../../platform/scope.ts'
import { lockVisible } from '../tickets/tickets.queries.ts'
import { draftChanged } from './drafts.events.ts'
import {
  type DraftPlace,
  deleteClosedDrafts,
  deleteDraftsIn,
  dropSurplus,
  putDraft,
} from './drafts.queries.ts'

/** Refuses with ERR_NO_TICKET_FOUND, ERR_NO_PERMISSION, and ERR_TICKET_NOT_OPEN. */
export const saveDraft = (scope: Scope, draft: KeptDraft): Promise<KeptDraft> =>
  scope.transaction(async tx => {
    const viewer = viewerOf(scope)
    // locked before its drafts everywhere: one that is closed meanwhile keeps none
    const ticket = await lockVisible(tx, draft.ticketId)
    if (!canRead(viewer, ticket)) return refuse('ERR_NO_PERMISSION')
    if (ticket.status !== 'open') return refuse('ERR_TICKET_NOT_OPEN')
    const userId = viewer.id
    const saved = await keep(tx, userId, draft)
    await dropSurplus(tx, userId)
    return saved
  })

/** Empties the draft up to the version that was sent: a newer version stays, an older one that arrives late is ignored. */
export const clearDraft = (tx: Tx, sent: { userId: number; ticketId: number; at: number }) =>
  keep(tx, sent.userId, { ticketId: sent.ticketId, at: sent.at + 1, body: '', quotedId: null })

/** Drafts of tickets that are closed are deleted. */
export const dropDraftsIn = async (tx: Tx, ticketId: number): Promise<void> =>
  emitDropped(tx, await deleteDraftsIn(tx, ticketId))

/** A merge closed one of two tickets of the contact. */
export const dropClosedDrafts = async (tx: Tx, contactId: number): Promise<void> =>
  emitDropped(tx, await deleteClosedDrafts(tx, contactId))

function emitDropped(tx: Tx, dropped: DraftPlace[]) {
  for (const { userId, ticketId, at } of dropped)
    tx.emit(draftChanged, { userId, draft: { ticketId, body: '', quotedId: null, at: at + 1 } })
}

async function keep(tx: Tx, userId: number, given: KeptDraft): Promise<KeptDraft> {
  const { draft, isNew } = await putDraft(tx, userId, given)
  if (isNew) tx.emit(draftChanged, { userId, draft })
  return draft
}
