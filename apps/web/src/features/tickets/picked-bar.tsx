import { MOST_AT_ONCE } from '@balcao/contract/bulk.ts'
import { IconAlarm, IconArrowsExchange, IconCheck, IconTag, IconUserShare, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { useActing } from '../../ui/acting.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { soon } from '../../ui/soon.tsx'
import { type BulkChange, changeMany } from './bulk.ts'
import { PickedDialog } from './picked.dialog.tsx'
import { picked } from './picked.ts'
import classes from './picked-bar.module.css'
import { reportMany } from './report-many.ts'
import { ticketInLists } from './tickets.api.ts'
import { usePickedText } from './tickets.picked.text.ts'

const ClosingDialog = soon(() => import('./closing.dialog.tsx'))
const UntilDialog = soon(() => import('./until.dialog.tsx'))

const dialogs = [
  { what: 'assign', Icon: IconUserShare },
  { what: 'transfer', Icon: IconArrowsExchange },
  { what: 'tag', Icon: IconTag },
  { what: 'snooze', Icon: IconAlarm },
  { what: 'resolve', Icon: IconCheck },
] as const

/** What can be done with the chosen rows. */
export function PickedBar({ ids }: { ids: number[] }) {
  const t = usePickedText()
  const [dialog, setDialog] = useState<(typeof dialogs)[number]['what'] | null>(null)
  const { busy, act } = useActing()
  const close = () => setDialog(null)
  const isTooMany = ids.length > MOST_AT_ONCE
  const run = (many: BulkChange) =>
    void act(async () => {
      try {
        const outcome = await changeMany(ids, many)
        picked.write(null)
        reportMany(many, outcome)
      } catch (error) {
        notify.failed(error)
      }
      close()
    })
  const off = busy || ids.length === 0 || isTooMany
  const common = { busy, onClose: close }
  return (
    <section className={classes.bar} aria-label={t('actions')} data-picked-bar>
      <p className={classes.count} role="status">
        {isTooMany ? t('most', { count: MOST_AT_ONCE }) : t('chosen', { count: ids.length })}
      </p>
      {dialogs.map(({ what, Icon }) => (
        <IconButton
          key={what}
          label={t(what)}
          aria-haspopup="dialog"
          disabled={off}
          onClick={() => setDialog(what)}
        >
          <Icon size={19} stroke={1.75} />
        </IconButton>
      ))}
      <IconButton label={t('none')} onClick={() => picked.write(null)}>
        <IconX size={19} stroke={1.75} />
      </IconButton>
      {dialog === 'snooze' && (
        <UntilDialog
          title={t('snoozeTitle', { count: ids.length })}
          isMany
          {...common}
          onChoose={until => run({ action: 'snooze', until })}
        />
      )}
      {dialog === 'resolve' && (
        <ClosingDialog
          title={t('resolveTitle', { count: ids.length })}
          queueIds={queuesOf(ids)}
          {...common}
          onResolve={closing => run({ action: 'resolve', ...closing })}
        />
      )}
      {dialog && dialog !== 'snooze' && dialog !== 'resolve' && (
        <PickedDialog what={dialog} count={ids.length} {...common} onChoose={run} />
      )}
    </section>
  )
}

const queuesOf = (ids: number[]) => [
  ...new Set(ids.flatMap(id => ticketInLists(id) ?? []).map(({ queueId }) => queueId)),
]
