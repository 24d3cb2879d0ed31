import { useMediaQuery } from '@mantine/hooks'
import { IconMessages } from '@tabler/icons-react'
import { useParams } from 'react-router'
import { Empty } from '../../ui/empty.tsx'
import { Conversation } from '../messages/conversation/conversation.tsx'
import { useShownList } from './lists.ts'
import { useKeptPlace } from './place.ts'
import { TicketPane } from './ticket-pane.tsx'
import { useTicketText } from './tickets.text.ts'
import classes from './tickets-screen.module.css'

/** List on the left, conversation on the right; one of them below 900 px. */
export default function TicketsScreen() {
  const t = useTicketText()
  const ticketId = Number(useParams().ticketId ?? 0)
  useKeptPlace()
  useShownList()
  const onePane = useMediaQuery('(max-width: 899px)', undefined, { getInitialValueInEffect: false })
  return (
    <div className={classes.screen} data-screen="tickets" data-chat={ticketId > 0 || undefined}>
      {(!onePane || ticketId === 0) && <TicketPane chosen={ticketId} />}
      {ticketId > 0 ? (
        <Conversation key={ticketId} ticketId={ticketId} />
      ) : (
        <div className={classes.nothing} data-hint={onePane || undefined}>
          {onePane ? (
            t('select')
          ) : (
            <Empty icon={<IconMessages size={26} />} title={t('select')}>
              {t('selectHint')}
            </Empty>
          )}
        </div>
      )}
    </div>
  )
}
