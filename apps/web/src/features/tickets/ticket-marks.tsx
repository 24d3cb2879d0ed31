import type { Ticket } from '@balcao/contract/tickets.ts'
import { Button } from '@mantine/core'
import { IconAlarm } from '@tabler/icons-react'
import { useState } from 'react'
import { useViewer } from '../../platform/session.tsx'
import { useShortcuts } from '../../platform/shortcuts.ts'
import { useToList } from './place.ts'
import RowMarks from './row-marks.tsx'
import SnoozeDialog from './snooze.dialog.tsx'
import { markTicket, markUnread, shownMoment, snoozeTicket } from './tickets.marks.api.ts'
import { useTicketMarkText } from './tickets.marks.text.ts'

/** What is put on the open ticket, in the strip of its header; its shortcuts do what the items of its menu do. */
export default function OpenTicketMarks({ ticket }: { ticket: Ticket }) {
  const t = useTicketMarkText()
  const viewer = useViewer()
  const toList = useToList()
  const [isChoosing, setChoosing] = useState(false)
  const { status, snoozedUntil, pinned, following } = ticket
  useShortcuts({
    'alt+6': status !== 'closed' && (() => setChoosing(true)),
    'alt+7':
      status !== 'closed' &&
      (() => {
        // the open conversation would be read again at once
        toList()
        void markUnread(ticket, true)
      }),
    'alt+8': () => void markTicket(ticket, 'pin', !pinned, viewer),
    'alt+9': () => void markTicket(ticket, 'follow', !following, viewer),
  })
  return (
    <>
      <RowMarks ticket={{ ...ticket, snoozedUntil: null }} />
      {snoozedUntil && (
        <Button
          size="compact-xs"
          variant="light"
          leftSection={<IconAlarm size={14} aria-hidden />}
          title={t('wake')}
          onClick={() => void snoozeTicket(ticket, null)}
        >
          {t('until', { time: shownMoment(snoozedUntil) })}
        </Button>
      )}
      {isChoosing && <SnoozeDialog ticket={ticket} onClose={() => setChoosing(false)} />}
    </>
  )
}
