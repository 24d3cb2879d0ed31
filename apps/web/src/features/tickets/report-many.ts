import type { BulkOutcome } from '@balcao/contract/bulk.ts'
import { ApiError } from '../../platform/call.ts'
import { errorText } from '../../platform/errors.text.ts'
import { notify } from '../../platform/notify.tsx'
import { type BulkChange, changeMany } from './bulk.ts'
import { usePickedText } from './tickets.picked.text.ts'

const UNDO_SECONDS = 10

/** What was changed, which can be undone, and why others were refused. */
export function reportMany(many: BulkChange, outcome: BulkOutcome) {
  const t = usePickedText.read
  const { changed, refused } = outcome
  if (refused.length > 0) {
    const reasons = new Set(refused.map(({ error }) => errorText(new ApiError(409, { message: error }))))
    notify.warn(`${t('refused', { count: refused.length })} ${[...reasons].slice(0, 3).join(' ')}`, {
      seconds: 9,
    })
  }
  if (changed.length > 0)
    notify.done(t('done', { count: changed.length }), {
      ...{ id: 'done', seconds: UNDO_SECONDS },
      action: { label: t('undo'), act: () => void undo(many, outcome) },
    })
  // they were so before
  else if (refused.length === 0) notify.info(t('same'), { id: 'done' })
}

async function undo(many: BulkChange, outcome: BulkOutcome) {
  const back = new Set<number>()
  try {
    for (const { ids, change } of inverse(many, outcome))
      for (const id of (await changeMany(ids, change)).done) back.add(id)
    notify.done(usePickedText.read('undone', { count: back.size }), { id: 'done' })
  } catch (error) {
    notify.failed(error)
  }
}

/** Of tags only those are taken off that the tickets did not have before. */
function inverse(
  many: BulkChange,
  { changed, added = [] }: BulkOutcome,
): { ids: number[]; change: BulkChange }[] {
  if (many.action === 'tag')
    return added.map(({ tagId, ids }) => ({ ids, change: { action: 'tag', tagIds: [tagId], remove: true } }))
  return [
    {
      ids: changed,
      change: many.action === 'snooze' ? { action: 'snooze', until: null } : { action: 'undo' },
    },
  ]
}
