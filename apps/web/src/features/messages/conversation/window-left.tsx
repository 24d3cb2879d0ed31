import { repliesAreOver } from '@balcao/contract/tickets.rules.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { IconHourglass } from '@tabler/icons-react'
import { useMinute } from '../../../platform/minute.ts'
import { clock } from '../../../platform/time.ts'
import { waited } from '../../tickets/times.ts'
import { useMessageText } from '../messages.text.ts'
import classes from './conversation.module.css'

const SOON_MS = 2 * 60 * 60_000

/** How long the official API still accepts free texts in an open ticket; nothing where it has no limit. */
export function WindowLeft({ ticket: { status, repliesUntil } }: { ticket: Ticket }) {
  const t = useMessageText()
  const now = useMinute()
  if (status !== 'open' || repliesUntil === null || repliesAreOver(repliesUntil, now)) return null
  const left = Date.parse(repliesUntil) - now
  return (
    <span
      className={classes.window}
      data-soon={left < SOON_MS || undefined}
      title={t('windowUntil', { time: clock(repliesUntil).format('l HH:mm') })}
    >
      <IconHourglass size={15} stroke={2} aria-hidden />
      {t('windowLeft', { time: waited(Math.ceil(left / 60_000)) })}
    </span>
  )
}
