import type { KeptDraft } from '@balcao/contract/drafts.ts'
import { canRead } from '@balcao/contract/tickets.rules.ts'
import { refuse } from '../../platform/errors.ts'
import { type Scope, type Tx, viewerOf } from '../../platform/scope.ts'
import type { SentDraft } from '../messages/messages.events.ts'
import { lockVisible } from '../tickets/tickets.queries.ts'
import { draftChanged } from './drafts.events.ts'
import { dropSurplus, emptyDrafts, putDraft } from './drafts.queries.ts'

/** In a ticket of any status: a text is not lost because its ticket moves. Refuses with ERR_NO_TICKET_FOUND and ERR_NO_PERMISSION. */
export const saveDraft = (scope: Scope, draft: KeptDraft): Promise<KeptDraft> =>
  scope.transaction(async tx => {
    const viewer = viewerOf(scope)
    // locked before its drafts everywhere
    const ticket = await lockVisible(tx, draft.ticketId)
    if (!canRead(viewer, ticket)) return refuse('ERR_NO_PERMISSION')
    const userId = viewer.id
    const saved = await keep(tx, userId, draft)
    await dropSurplus(tx, userId)
    return saved
  })

/** Empties drafts up to the versions that were sent: a newer version stays, an older one that arrives late is ignored. */
export async function clearDrafts(tx: Tx, sent: SentDraft[]): Promise<void> {
  for (const { userId, ...draft } of await emptyDrafts(tx, sent)) tx.emit(draftChanged, { userId, draft })
}

async function keep(tx: Tx, userId: number, given: KeptDraft): Promise<KeptDraft> {
  const { draft, isNew } = await putDraft(tx, userId, given)
  if (isNew) tx.emit(draftChanged, { userId, draft })
  return draft
}
