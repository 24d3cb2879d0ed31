import { IconClockHour4 } from '@tabler/icons-react'
import { useMinute } from '../../platform/minute.ts'
import classes from './ticket-list.module.css'
import { useTicketText } from './tickets.text.ts'
import { waited } from './times.ts'

const WARN_MINUTES = 3
const LATE_MINUTES = 8

/** How long the customer has been waiting for an answer; `calm`: a bot answers, so that no user is late. */
export function WaitingSince({ since, calm = false }: { since: string; calm?: boolean }) {
  const t = useTicketText()
  const now = useMinute()
  const minutes = Math.max(0, Math.floor((now - Date.parse(since)) / 60_000))
  if (minutes < 1) return null
  const late = calm
    ? undefined
    : minutes >= LATE_MINUTES
      ? 'error'
      : minutes >= WARN_MINUTES
        ? 'warning'
        : undefined
  return (
    <span className={classes.waiting} data-late={late} title={t('waitingFor', { time: waited(minutes) })}>
      <IconClockHour4 size={14} stroke={2} aria-hidden />
      {waited(minutes)}
    </span>
  )
}
