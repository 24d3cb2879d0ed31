import type { Ticket } from '@balcao/contract/tickets.ts'
import { IconAlarm, IconEye, IconPin } from '@tabler/icons-react'
import WhyWaits from '../assignment/why-waits.tsx'
import { shownMoment } from './tickets.marks.api.ts'
import { useTicketMarkText } from './tickets.marks.text.ts'

const look = { size: 15, stroke: 2, role: 'img' }

/** What the viewer, or somebody, put on a ticket, and why it waits. */
export default function RowMarks({ ticket }: { ticket: Ticket }) {
  const { pinned, following, snoozedUntil } = ticket
  const t = useTicketMarkText()
  const time = snoozedUntil && t('until', { time: shownMoment(snoozedUntil) })
  return (
    <>
      {pinned && <IconPin {...look} aria-label={t('pinned')} />}
      {following && <IconEye {...look} aria-label={t('following')} />}
      {time && (
        <span title={time}>
          <IconAlarm {...look} aria-label={time} />
        </span>
      )}
      {ticket.status === 'pending' && <WhyWaits ticket={ticket} isBrief />}
    </>
  )
}
