import { useMediaQuery } from '@mantine/hooks'
import { IconMessages } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { Navigate, useLocation, useParams } from 'react-router'
import { whenFetched } from '../../platform/query.ts'
import { useMay, useUser, useViewer } from '../../platform/session.tsx'
import { Away } from '../../ui/away.tsx'
import { Boundary } from '../../ui/boundary.tsx'
import { Empty } from '../../ui/empty.tsx'
import { soon } from '../../ui/soon.tsx'
import { isDoneWith } from '../firstSteps/firstSteps.seen.ts'
import { useShownList } from '../tickets/lists.ts'
import { useKeptPlace } from '../tickets/place.ts'
import { TicketPane } from '../tickets/ticket-pane.tsx'
import { uuidOptions } from '../tickets/tickets.api.ts'
import { watchKeys } from './composer/early-keys.ts'
import { TakesKeys } from './composer/takes-keys.tsx'
import { useListWidth } from './list-width.ts'
import { fetchAhead } from './messages.api.ts'
import { useMessageText } from './messages.text.ts'
import classes from './tickets-screen.module.css'

const ListEdge = soon(() => import('./list-edge.tsx'))
const Conversation = soon(
  async () => ({ default: (await import('./conversation/conversation.tsx')).Conversation }),
  { away: <Away /> },
)
const FirstSteps = soon(() => import('../firstSteps/first-steps.tsx'), { isLarge: true })

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
  useKeptPlace()
  useShownList()
  const viewer = useViewer()
  // comes with the conversations; before it is here, Enter leaves the text as the draft
  const written = useRef<typeof import('./composer/written.ts') | null>(null)
  const send = useEffectEvent((chosen: number) => written.current?.sendUndrawn(chosen, viewer))
  useEffect(() => watchKeys(send), [])
  // prefetched after the lists; what fails is fetched when it is needed
  useEffect(() => {
    void whenFetched().then(async () => {
      await import('./conversation/conversation.tsx').catch(() => {})
      written.current = await import('./composer/written.ts').catch(() => null)
    })
  }, [])
  const before = useRef(ticketId)
  useEffect(() => {
    if (ticketId > 0) localStorage.setItem(OPENED, 'yes')
    const isBack = before.current > 0 && ticketId === 0
    before.current = ticketId
    // the focused element was unmounted with the conversation: the focus returns to the list
    if (isBack && document.activeElement === document.body)
      document.querySelector<HTMLElement>('[data-pane="list"]')?.focus({ preventScroll: true })
  }, [ticketId])
  const list = useListWidth()
  const onePane = useMediaQuery('(max-width: 899px)', undefined, { getInitialValueInEffect: false })
  return (
    <div
      className={classes.screen}
      data-screen="tickets"
      data-chat={ticketId > 0 || undefined}
      style={list.style}
    >
      {(!onePane || ticketId === 0) && <TicketPane chosen={ticketId} fetchAhead={fetchAhead} />}
      {!onePane && <ListEdge {...list} />}
      {ticketId > 0 ? (
        <Boundary
          key={ticketId}
          instead={
            <>
              <TakesKeys ticketId={ticketId} />
              <Away />
            </>
          }
        >
          <Conversation ticketId={ticketId} />
        </Boundary>
      ) : (
        <NoneChosen onePane={onePane === true} />
      )}
    </div>
  )
}

/** A conversation was opened in this browser before. */
const OPENED = 'opened'

/**
 * Where no conversation is open: the first steps of a new company, for users who may do them; else a hint.
 */
function NoneChosen({ onePane }: { onePane: boolean }) {
  const t = useMessageText()
  const { id } = useUser()
  const guides = useMay('administration') && !isDoneWith(id)
  // on a phone it is for who has never opened one; it takes room from the list
  const otherwise = onePane ? (
    localStorage.getItem(OPENED) ? null : (
      t('select')
    )
  ) : (
    <Empty icon={<IconMessages size={26} />} title={t('select')}>
      {t('selectHint')}
    </Empty>
  )
  return (
    <div className={classes.nothing} data-hint={onePane || undefined}>
      {guides ? <FirstSteps folds={onePane} otherwise={otherwise} /> : otherwise}
    </div>
  )
}
