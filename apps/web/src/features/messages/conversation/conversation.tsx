import type { Message } from '@balcao/contract/messages.ts'
import { canRead } from '@balcao/contract/tickets.rules.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { Button } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { Navigate } from 'react-router'
import { ApiError } from '../../../platform/call.ts'
import { drafts, useWritesNotes } from '../../../platform/drafts.ts'
import { errorText } from '../../../platform/errors.text.ts'
import { join } from '../../../platform/live.ts'
import { useMinute } from '../../../platform/minute.ts'
import { notify } from '../../../platform/notify.tsx'
import { useUser, useViewer } from '../../../platform/session.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { Late } from '../../../ui/late.tsx'
import { NoticePlace } from '../../../ui/notice-place.tsx'
import { soon } from '../../../ui/soon.tsx'
import { BotBar } from '../../bots/bot-bar.tsx'
import { FlowBar } from '../../flows/flow-bar.tsx'
import { OnFetched } from '../../media/file.tsx'
import { useSearchHit } from '../../tickets/place.ts'
import { useTicketActions } from '../../tickets/ticket-actions.tsx'
import { ticketInLists, ticketOptions } from '../../tickets/tickets.api.ts'
import { mayEdit } from '../actions/operations.ts'
import { SelectionBar } from '../actions/selection-bar.tsx'
import { useMessageTools } from '../actions/tools.tsx'
import { useDrop } from '../composer/attachments.tsx'
import { Composer } from '../composer/composer.tsx'
import { quote } from '../composer/kept-drafts.ts'
import { TakesKeys } from '../composer/takes-keys.tsx'
import { isWritable } from '../composer/writable.ts'
import { ContactDrawer, useContactDrawer } from '../drawer/contact-drawer.tsx'
import { lookAgain, markSeen, put, showAround, threadOptions } from '../messages.api.ts'
import { type CachedThread, waitingLast } from '../messages.cache.ts'
import { useMessageText } from '../messages.text.ts'
import { useSelection } from '../thread/selection.ts'
import { type Target, Thread } from '../thread/thread.tsx'
import classes from './conversation.module.css'
import { ConversationHeader } from './header.tsx'
import { LiveBanner } from './live-banner.tsx'

const AnsweredCampaign = soon(() => import('../../campaigns/answered-campaign.tsx'))
const MessageSearch = soon(() => import('./search.tsx'))
const PinnedBanner = soon(() => import('./pinned-banner.tsx'))

/** One ticket: header, messages, composer. */
export function Conversation({ ticketId }: { ticketId: number }) {
  const t = useMessageText()
  const viewer = useViewer()
  const thread = useQuery(threadOptions(ticketId, viewer))
  const { data: ticket } = useQuery({ ...ticketOptions(ticketId), enabled: thread.data !== undefined })
  useEffect(() => join('joinChatBox', ticketId), [ticketId])

  // it was returned to the waiting ones, which not all users may read
  if (ticket && !canRead(viewer, ticket)) return <Navigate to="/tickets" replace />
  if (thread.error instanceof ApiError && (thread.error.status === 404 || thread.error.status === 403)) {
    return <NotHere error={thread.error} />
  }
  if (thread.isError && !thread.data)
    return (
      <section className={classes.conversation} data-pane="conversation">
        <TakesKeys ticketId={ticketId} />
        <Empty
          icon={<IconAlertCircle size={26} />}
          title={t('loadFailed')}
          action={
            <Button variant="default" onClick={() => void thread.refetch()}>
              {t('again')}
            </Button>
          }
        >
          {errorText(thread.error)}
        </Empty>
      </section>
    )
  const known = ticket ?? ticketInLists(ticketId)
  if (!known) return <Opening />
  return (
    <OnFetched value={put}>
      <Acted key={ticketId} ticket={known} thread={ticket && thread.data} />
    </OnFetched>
  )
}

/**
 * Dialogs, search and header stay mounted while messages load: a button replaced between press and release is
 * not clicked.
 */
function Acted({ ticket, thread }: { ticket: Ticket; thread: CachedThread | undefined }) {
  const t = useMessageText()
  const actions = useTicketActions(ticket)
  const [searching, setSearching] = useState(false)
  const { enableCampaigns } = useUser().company
  const drawer = useContactDrawer()
  const pane = useRef<HTMLElement>(null)
  // the focused element was unmounted with the previous conversation
  useEffect(() => {
    if (document.activeElement === document.body) pane.current?.focus({ preventScroll: true })
  }, [])
  const { target, jump } = useTarget(ticket.id, thread !== undefined)
  const writesNotes = useWritesNotes(ticket.id)
  const { dropping, drop } = useDrop(ticket.id, isWritable(ticket, useMinute()) && !writesNotes)
  return (
    <>
      <div className={classes.panes}>
        <section
          ref={pane}
          tabIndex={-1}
          data-pane="conversation"
          className={classes.conversation}
          aria-label={t('conversation', { name: ticket.contact.name })}
          aria-busy={!thread || undefined}
          {...drop}
        >
          <ConversationHeader
            ticket={ticket}
            actions={actions}
            drawer={drawer}
            searching={searching}
            onSearch={() => setSearching(now => !now)}
          />
          <NoticePlace of="conversation" />
          {dropping && <div className={classes.drop}>{t('drop')}</div>}
          {enableCampaigns && <AnsweredCampaign ticketId={ticket.id} />}
          {thread ? (
            <Talk ticket={ticket} thread={thread} actions={actions} target={target} jump={jump}>
              {searching && (
                <MessageSearch ticketId={ticket.id} onJump={jump} onClose={() => setSearching(false)} />
              )}
            </Talk>
          ) : (
            <Skeletons />
          )}
        </section>
        <ContactDrawer ticket={ticket} drawer={drawer} onJump={thread && jump} />
      </div>
      {actions.dialogs}
    </>
  )
}

/** A conversation that no cached list contains. */
function Opening() {
  return (
    <div className={classes.panes}>
      <section className={classes.conversation} aria-busy>
        <Skeletons />
      </section>
    </div>
  )
}

const WIDTHS = [46, 62, 34, 54, 40]

function Skeletons() {
  return (
    <div className={classes.skeletons} aria-hidden>
      <Late>
        {WIDTHS.map((width, at) => (
          <span key={width} data-own={at % 2 === 1 || undefined} style={{ width: `${width}%` }} />
        ))}
      </Late>
    </div>
  )
}

interface TalkProps {
  ticket: Ticket
  thread: CachedThread
  actions: ReturnType<typeof useTicketActions>
  target: Target | null
  jump(messageId: string): void
  /** Content above the messages. */
  children: ReactNode
}

function Talk({ ticket, thread, actions, target, jump, children }: TalkProps) {
  const shown = useMemo(() => waitingLast(thread), [thread])
  const reply = useCallback(
    (quoted: Message) => {
      drafts.turn(ticket.id, false)
      quote(ticket.id, quoted)
    },
    [ticket.id],
  )
  const { tools, layer, edit, forward } = useMessageTools(ticket, reply, jump)
  const selected = useSelection(ticket.id)
  const viewer = useViewer()
  const editLast = () => {
    const last = thread.messages.findLast(({ fromMe, user }) => fromMe && user?.id === viewer.id)
    if (last && mayEdit(viewer, last)) edit(last)
  }
  useReading(ticket, thread)
  useConnectionWarning(ticket, actions.transfer)
  return (
    <>
      {children}
      <LiveBanner ticket={ticket} onTransfer={actions.transfer} />
      <PinnedBanner ticket={ticket} onJump={jump} />
      <BotBar ticket={ticket} onAccept={actions.accept} onJump={jump} />
      <Thread ticket={ticket} thread={shown} tools={tools} target={target} />
      <FlowBar ticketId={ticket.id} />
      {selected ? (
        <SelectionBar ids={selected} messages={thread.messages} onForward={forward} />
      ) : (
        <Composer ticket={ticket} actions={actions} onEditLast={editLast} />
      )}
      <TakesKeys ticketId={ticket.id} />
      {layer}
    </>
  )
}

/** Which message is to be seen; those not here yet are loaded first. */
function useTarget(ticketId: number, isHere: boolean) {
  const t = useMessageText()
  const [target, setTarget] = useState<Target | null>(null)
  const jump = useCallback(
    (messageId: string) =>
      void showAround(ticketId, messageId).then(
        () => setTarget({ id: messageId }),
        error =>
          error instanceof ApiError && error.code === 'ERR_FETCH_WAPP_MSG'
            ? notify.info(t('notLoaded'))
            : notify.failed(error),
      ),
    [ticketId, t],
  )
  const found = useSearchHit()
  useEffect(() => {
    if (found && isHere) jump(found)
  }, [found, isHere, jump])
  return { target, jump }
}

/** While its owner looks at an open ticket it is marked as read; a hidden window does not count. */
function useReading(ticket: Ticket, { messages, isUnlooked = false }: CachedThread) {
  const { id } = useUser()
  const { id: ticketId, unreadMessages } = ticket
  const mine = ticket.status === 'open' && ticket.userId === id
  const newest = messages.at(-1)?.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message is marked as read too
  useEffect(() => {
    if (!mine || (unreadMessages === 0 && !isUnlooked)) return
    const look = () => {
      if (document.visibilityState === 'visible')
        lookAgain(ticketId).catch(error => console.warn('reading was not reported', error))
    }
    look()
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [mine, ticketId, unreadMessages, isUnlooked, newest])
  useEffect(() => (mine ? () => void markSeen(ticketId) : undefined), [mine, ticketId])
}

/** A ticket without its connection cannot be answered: shown once, with the transfer dialog. */
function useConnectionWarning(ticket: Ticket, transfer: () => void) {
  const t = useMessageText()
  const warned = useRef(false)
  const missing = ticket.whatsappId === null && ticket.status !== 'closed'
  useEffect(() => {
    if (!missing || warned.current) return
    warned.current = true
    notify.warn(t('needConnection'), { seconds: 15 })
    transfer()
  })
}

/** Not found, or forbidden: shown once, then back to the list. */
function NotHere({ error }: { error: ApiError }) {
  useEffect(() => notify.failed(error), [error])
  return <Navigate to="/tickets" replace />
}
