import { MOST_AT_ONCE } from '@balcao/contract/bulk.ts'
import { IconArrowsExchange, IconCheck, IconTag, IconUserShare, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { ApiError } from '../../platform/call.ts'
import { errorText } from '../../platform/errors.text.ts'
import { notify } from '../../platform/notify.tsx'
import { useActing } from '../../ui/acting.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { type BulkChange, changeMany, type Done } from './bulk.ts'
import { PickedDialog } from './picked.dialog.tsx'
import { picked } from './picked.ts'
import classes from './picked-bar.module.css'
import { usePickedText } from './tickets.picked.text.ts'

const UNDO_SECONDS = 10

/** What can be done with the chosen rows. */
export function PickedBar({ ids }: { ids: number[] }) {
  const t = usePickedText()
  const [dialog, setDialog] = useState<'assign' | 'transfer' | 'tag' | null>(null)
  const { busy, act } = useActing()
  const isTooMany = ids.length > MOST_AT_ONCE
  const run = (many: BulkChange) =>
    void act(async () => {
      try {
        const { done, refused } = await changeMany(ids, many)
        setDialog(null)
        picked.write(null)
        report(many, done, refused)
      } catch (error) {
        notify.failed(error)
      }
    })
  const off = busy || ids.length === 0 || isTooMany
  return (
    <section className={classes.bar} aria-label={t('actions')}>
      <p className={classes.count} role="status">
        {isTooMany ? t('most', { count: MOST_AT_ONCE }) : t('chosen', { count: ids.length })}
      </p>
      <IconButton
        label={t('assign')}
        aria-haspopup="dialog"
        disabled={off}
        onClick={() => setDialog('assign')}
      >
        <IconUserShare size={19} stroke={1.75} />
      </IconButton>
      <IconButton
        label={t('transfer')}
        aria-haspopup="dialog"
        disabled={off}
        onClick={() => setDialog('transfer')}
      >
        <IconArrowsExchange size={19} stroke={1.75} />
      </IconButton>
      <IconButton label={t('tag')} aria-haspopup="dialog" disabled={off} onClick={() => setDialog('tag')}>
        <IconTag size={19} stroke={1.75} />
      </IconButton>
      <IconButton label={t('resolve')} disabled={off} onClick={() => run({ action: 'resolve' })}>
        <IconCheck size={19} stroke={1.75} />
      </IconButton>
      <IconButton label={t('none')} onClick={() => picked.write(null)}>
        <IconX size={19} stroke={1.75} />
      </IconButton>
      {dialog && (
        <PickedDialog
          what={dialog}
          count={ids.length}
          busy={busy}
          onClose={() => setDialog(null)}
          onChoose={run}
        />
      )}
    </section>
  )
}

/** One bar: what was done, which can be undone, and why others were refused. */
function report(many: BulkChange, done: number[], refused: Done['refused']) {
  const t = usePickedText.read
  if (refused.length > 0) {
    const reasons = new Set(refused.map(({ error }) => errorText(new ApiError(409, { message: error }))))
    notify.warn(`${t('refused', { count: refused.length })} ${[...reasons].slice(0, 3).join(' ')}`, {
      seconds: 9,
    })
  }
  if (done.length === 0) return
  const back = inverse(many)
  notify.done(t('done', { count: done.length }), {
    ...{ id: 'done', seconds: UNDO_SECONDS },
    ...(back && { action: { label: t('undo'), act: () => void undo(done, back) } }),
  })
}

/** Tags are not undone: which of the tickets had them before is not known here. */
const inverse = ({ action }: BulkChange): BulkChange | null =>
  action === 'tag' || action === 'snooze' ? null : { action: 'undo' }

const undo = (ids: number[], many: BulkChange) =>
  changeMany(ids, many).then(
    ({ done }) => notify.done(usePickedText.read('undone', { count: done.length }), { id: 'done' }),
    notify.failed,
  )
