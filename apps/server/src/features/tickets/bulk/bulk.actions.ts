import type { BulkInput, BulkOutcome } from '@balcao/contract/bulk.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import type { Logger } from 'pino'
import { Refusal, refuse } from '../../../platform/errors.ts'
import type { Scope, Tx } from '../../../platform/scope.ts'
import { selectTags } from '../../tags/tags.queries.ts'
import { snooze } from '../marks/snooze.actions.ts'
import { resolveQuietly, undo } from '../moves/closing.actions.ts'
import { transfer } from '../moves/moves.actions.ts'
import { ticketIdsInCompany } from '../moves/moves.queries.ts'
import { changeTags } from '../tags/tags.actions.ts'
import { lockTicket } from '../tickets.queries.ts'

/**
 * One action on many tickets, each in its own transaction: one that is refused keeps no other from being changed. No customer is
 * written to. Refuses the whole call where its user, queue or tags are not of the company. An error that is no refusal ends it:
 * what it left out is refused with ERR_INTERNAL, so that the outcome of the others is known.
 */
export async function changeMany(scope: Scope, input: BulkInput, log: Logger): Promise<BulkOutcome> {
  await scope.read(async tx => {
    if (input.action === 'assign' || input.action === 'transfer') await ticketIdsInCompany(tx, input)
    if (input.action === 'tag' && (await selectTags(tx, input.tagIds)).length < new Set(input.tagIds).size)
      refuse('ERR_NO_TAG_FOUND', { field: 'tagIds' })
  })
  const outcome: BulkOutcome = { done: [], changed: [], refused: [] }
  const added = new Map<number, number[]>()
  const left = [...new Set(input.ids)]
  for (let id = left.shift(); id !== undefined; id = left.shift()) {
    try {
      const change = await changeOne(scope, id, input)
      outcome.done.push(id)
      if (change.isChanged) outcome.changed.push(id)
      for (const tagId of change.added ?? []) added.set(tagId, [...(added.get(tagId) ?? []), id])
    } catch (error) {
      const isOfTicket = error instanceof Refusal && error.code !== 'ERR_BAD_REQUEST'
      // what is wrong with the call is wrong for all
      if (!isOfTicket && outcome.done.length === 0) throw error
      outcome.refused.push({ id, error: error instanceof Refusal ? error.code : 'ERR_INTERNAL' })
      if (error instanceof Refusal) continue
      log.error(
        { err: error, companyId: scope.companyId, ticketId: id },
        'a change of many tickets ended early',
      )
      outcome.refused.push(...left.splice(0).map(other => ({ id: other, error: 'ERR_INTERNAL' })))
    }
  }
  return added.size === 0
    ? outcome
    : {
        ...outcome,
        added: [...added].map(([tagId, ids]) => ({ tagId, ids })).sort((a, b) => a.tagId - b.tagId),
      }
}

/** What one ticket underwent; `added`: the tags that it did not have. */
interface Changed {
  isChanged: boolean
  added?: number[]
}

async function changeOne(scope: Scope, id: number, input: BulkInput): Promise<Changed> {
  if (input.action !== 'tag') return { isChanged: await isMoved(scope, id, tx => move(tx, id, input)) }
  const touched = await changeTags(scope, id, input.tagIds, input.remove ? 'remove' : 'add')
  return { isChanged: touched.length > 0, ...(!input.remove && { added: touched }) }
}

/** Whether the ticket is another after it than it was before; it is locked in between. */
const isMoved = (scope: Scope, id: number, act: (tx: Tx) => Promise<Ticket>): Promise<boolean> =>
  scope.transaction(async tx => {
    const before = await lockTicket(tx, id)
    const { version } = await act(tx)
    return version !== before?.version
  })

function move(tx: Tx, id: number, input: Exclude<BulkInput, { action: 'tag' }>): Promise<Ticket> {
  switch (input.action) {
    case 'assign':
      return transfer(tx, id, { userId: input.userId }, { quietly: true })
    case 'transfer':
      return transfer(tx, id, { queueId: input.queueId, userId: input.userId }, { quietly: true })
    case 'snooze':
      return snooze(tx, id, input.until)
    case 'resolve':
      return resolveQuietly(tx, id, input)
    case 'undo':
      return undo(tx, id)
  }
}
