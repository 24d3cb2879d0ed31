import { z } from 'zod'
import { ClosingInput } from './closingReasons.ts'
import { flag, id, route } from './kit.ts'

/** So many tickets are changed in one call. */
export const MOST_AT_ONCE = 500

const ids = z.array(id).min(1).max(MOST_AT_ONCE)

export const BulkInput = z.discriminatedUnion('action', [
  z.object({ ids, action: z.literal('assign'), userId: id }),
  z.object({ ids, action: z.literal('transfer'), queueId: id.nullable(), userId: id.nullable().optional() }),
  /** Adds tags to those that a ticket has, or with `remove` takes them off. */
  z.object({
    ids,
    action: z.literal('tag'),
    tagIds: z.array(id).min(1).max(100),
    remove: flag.optional(),
  }),
  /** Until when; null wakes them. */
  z.object({ ids, action: z.literal('snooze'), until: z.iso.datetime({ offset: true }).nullable() }),
  z.object({ ids, action: z.literal('resolve'), ...ClosingInput }),
  /** Takes back what the caller's last call changed, as long as one move can be taken back. */
  z.object({ ids, action: z.literal('undo') }),
])
export type BulkInput = z.infer<typeof BulkInput>

/** What one action did with each of the tickets. */
export const BulkOutcome = z.object({
  /** As they should be now; `changed` are those that were not so before. */
  done: z.array(z.int()),
  changed: z.array(z.int()),
  /** With the code of the refusal. */
  refused: z.array(z.object({ id: z.int(), error: z.string() })),
  /** Which tickets got a tag that they did not have. */
  added: z.array(z.object({ tagId: z.int(), ids: z.array(z.int()) })).optional(),
})
export type BulkOutcome = z.infer<typeof BulkOutcome>

/** One action on many tickets. */
export const bulk = {
  change: route('POST', '/tickets/bulk', {
    needs: 'session',
    summary: `Assigns, transfers, tags, snoozes or resolves up to ${MOST_AT_ONCE} tickets, each by itself and without a message to its customer; or undoes that. Those that were refused are named with their error, changed are those that were not so before, and added says which tickets got which tag.`,
    limit: { counts: 'calls', caller: 30 },
    body: BulkInput,
    reply: BulkOutcome,
  }),
}
