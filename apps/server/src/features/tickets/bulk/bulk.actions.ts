import type { BulkInput } from '@balcao/contract/bulk.ts'
import { Refusal, refuse } from '../../../platform/errors.ts'
import type { Scope } from '../../../platform/scope.ts'
import { selectTags } from '../../tags/tags.queries.ts'
import { snooze } from '../marks/snooze.actions.ts'
import { resolveQuietly, undo } from '../moves/closing.actions.ts'
import { transfer } from '../moves/moves.actions.ts'
import { ticketIdsInCompany } from '../moves/moves.queries.ts'
import { changeTags } from '../tags/tags.actions.ts'

export interface BulkOutcome {
  done: number[]
  /** With the code of the refusal. */
  refused: { id: number; error: string }[]
}

/**
 * One action on many tickets, each in its own transaction: one that is refused keeps no other from being changed. No customer is
 * written to. Refuses the whole call where its user, queue or tags are not of the company.
 */
export async function changeMany(scope: Scope, input: BulkInput): Promise<BulkOutcome> {
  await scope.read(async tx => {
    if (input.action === 'assign' || input.action === 'transfer') await ticketIdsInCompany(tx, input)
    if (input.action === 'tag' && (await selectTags(tx, input.tagIds)).length < new Set(input.tagIds).size)
      refuse('ERR_NO_TAG_FOUND', { field: 'tagIds' })
  })
  const outcome: BulkOutcome = { done: [], refused: [] }
  for (const id of new Set(input.ids)) {
    try {
      await changeOne(scope, id, input)
      outcome.done.push(id)
    } catch (error) {
      // what is wrong with the call is wrong for all
      if (!(error instanceof Refusal) || error.code === 'ERR_BAD_REQUEST') throw error
      outcome.refused.push({ id, error: error.code })
    }
  }
  return outcome
}

function changeOne(scope: Scope, id: number, input: BulkInput): Promise<unknown> {
  switch (input.action) {
    case 'assign':
      return transfer(scope, id, { userId: input.userId }, { quietly: true })
    case 'transfer':
      return transfer(scope, id, { queueId: input.queueId, userId: input.userId }, { quietly: true })
    case 'tag':
      return changeTags(scope, id, input.tagIds, input.remove ? 'remove' : 'add')
    case 'snooze':
      return snooze(scope, id, input.until)
    case 'resolve':
      return resolveQuietly(scope, id, input)
    case 'undo':
      return undo(scope, id)
  }
}
