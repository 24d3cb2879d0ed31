import { useMediaQuery } from '@mantine/hooks'
import { IconMessages } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Navigate, useLocation, useParams } from 'react-router'
import { Empty } from '../../ui/empty.tsx'
import { soon } from '../../ui/soon.tsx'
import { useShownList } from './lists.ts'
import { useKeptPlace } from './place.ts'
import { TicketPane } from './ticket-pane.tsx'
import { uuidOptions } from './tickets.api.ts'
import { useTicketText } from './tickets.text.ts'
import classes from './tickets-screen.module.css'

const Conversation = soon(async () => ({
  default: (await import('../messages/conversation/conversation.tsx')).Conversation,
}))
// on its way while the lists are asked for, which do not wait for it; what does not come is asked for when it is needed
void import('../messages/conversation/conversation.tsx').catch(() => {})

/** An address may name a ticket by its uuid, as the cards of the board do. */
export default function TicketsScreen() {
  const { ticketId = '0' } = useParams()
  return /^\d+$/.test(ticketId) ? <Tickets ticketId={Number(ticketId)} /> : <ByUuid uuid={ticketId} />
}

function ByUuid({ uuid }: { uuid: string }) {
  const { state } = useLocation()
  const { data, isError } = useQuery(uuidOptions(uuid))
  if (!data && !isError) return null
  return <Navigate to={data ? `/tickets/${data.id}` : '/tickets'} state={state} replace />
}

/** List on the left, conversation on the right; one of them below 900 px. */
function Tickets({ ticketId }: { ticketId: number }) {
  const t = useTicketText()
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
