import type { TicketEvent } from '@balcao/contract/tickets.history.ts'
import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconCheck,
  IconMessagePlus,
  IconRefresh,
  IconRobot,
  IconRobotOff,
  IconTransfer,
  IconUserCheck,
} from '@tabler/icons-react'
import { useUser } from '../../../platform/session.tsx'
import { clock } from '../../../platform/time.ts'
import classes from './thread.module.css'
import { useThreadText } from './thread.text.ts'

const icons = {
  opened: IconMessagePlus,
  accepted: IconUserCheck,
  assigned: IconUserCheck,
  returned: IconArrowBackUp,
  transferred: IconTransfer,
  resolved: IconCheck,
  reopened: IconRefresh,
  moved: IconTransfer,
  undone: IconArrowBackUp,
  snoozed: IconArrowBackUp,
  awoke: IconRefresh,
  late: IconAlertTriangle,
  botLeft: IconRobotOff,
  botGuarded: IconRobotOff,
  botReturned: IconRobot,
}

/** Something that happened to the ticket, where it happened among the messages. */
export function TicketEventRow({ happened }: { happened: TicketEvent }) {
  const t = useThreadText()
  const me = useUser().id
  const { what, by, user, queue, at, reason, note } = happened
  const why = [reason?.name, note].filter(Boolean).join(', ')
  const Icon = icons[what]
  const name = (one: { id: number; name: string }) =>
    one.id === me ? t('you') : one.name || t('someoneGone')
  const to = [user && name(user), queue?.name].filter(Boolean).join(' · ')
  const happening = what === 'transferred' && !to ? t('transferredNowhere') : t(what, { to })
  return (
    <p className={classes.event}>
      <Icon size={15} stroke={2} aria-hidden />
      <span>
        <strong>{by ? name(by) : t('itself')}</strong> {happening}
        {why && `: ${why}`} · <time dateTime={at}>{clock(at).format('HH:mm')}</time>
      </span>
    </p>
  )
}
