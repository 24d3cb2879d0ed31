import type { Message } from '@balcao/contract/messages.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { Button } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { Navigate } from 'react-router'
import { ApiError } from '../../platform/call.ts'
import { errorText } from '../../platform/errors.text.ts'
import { join } from '../../platform/live.ts'
import { notify } from '../../platform/notify.tsx'
import { useUser, useViewer } from '../../platform/session.tsx'
import { Empty } from '../../ui/empty.tsx'
import { useTicketActions } from '../tickets/ticket-actions.tsx'
import { ticketOptions } from '../tickets/tickets.api.ts'
import { Composer } from './composer.tsx'
import classes from './conversation.module.css'
import { ConversationHeader } from './conversation-header.tsx'
import { LineBanner } from './line-banner.tsx'
import { useMessageTools } from './message-tools.tsx'
import { loadUntil, lookAgain, threadOptions } from './messages.api.ts'
import { messageText } from './messages.text.ts'
import { type Target, Thread } from './thread.tsx'

const MessageSearch = lazy(() => import('./message-search.tsx'))

/** One ticket: who, what was said, where to answer. */
export function Conversation({ ticketId }: { ticketId: number }) {
  const t = messageText()
  const thread = useQuery(threadOptions(ticketId, useViewer()))
  const { data: ticket } = useQuery({ ...ticketOptions(ticketId), enabled: thread.data !== undefined })
  useEffect(() => join('joinChatBox', ticketId), [ticketId])

  if (thread.error instanceof ApiError && (thread.error.status === 404 || thread.error.status === 403)) {
    return <NotHere error={thread.error} />
  }
  if (thread.isError)
    return (
      <section className={classes.conversation}>
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
  if (!thread.data || !ticket) return <section className={classes.conversation} aria-busy />
  return <OpenConversation ticket={ticket} messages={thread.data.messages} hasMore={thread.data.hasMore} />
}

function OpenConversation({
  ticket,
  messages,
  hasMore,
}: {
  ticket: Ticket
  messages: Message[]
  hasMore: boolean
}) {
  const t = messageText()
  const actions = useTicketActions(ticket)
  const [quoted, setQuoted] = useState<Message | null>(null)
  const [searching, setSearching] = useState(false)
  const { target, jump } = useTarget(ticket.id)
  const { tools, layer } = useMessageTools(ticket, setQuoted, jump)
  useReading(ticket, messages)
  useConnectionWarning(ticket, actions.transfer)
  return (
    <section className={classes.conversation} aria-label={t('conversation', { name: ticket.contact.name })}>
      <ConversationHeader
        ticket={ticket}
        actions={actions}
        searching={searching}
        onSearch={() => setSearching(now => !now)}
      />
      <Suspense>
        {searching && (
          <MessageSearch ticketId={ticket.id} onJump={jump} onClose={() => setSearching(false)} />
        )}
      </Suspense>
      <LineBanner ticket={ticket} onTransfer={actions.transfer} />
      <Thread ticket={ticket} messages={messages} hasMore={hasMore} tools={tools} target={target} />
      <Composer ticket={ticket} actions={actions} quoted={quoted} onQuoteDone={() => setQuoted(null)} />
      {layer}
      {actions.dialogs}
    </section>
  )
}

/** Which message is to be seen; those not here yet are loaded first. */
function useTarget(ticketId: number) {
  const t = messageText()
  const [target, setTarget] = useState<Target | null>(null)
  const jump = useCallback(
    (messageId: string) =>
      void loadUntil(ticketId, messageId).then(found => {
        if (found) setTarget({ id: messageId })
        else notify.info(t('notLoaded'))
      }, notify.failed),
    [ticketId, t],
  )
  return { target, jump }
}

/** While its owner looks at an open ticket nothing stays unread; a hidden window is not looked at. */
function useReading(ticket: Ticket, messages: Message[]) {
  const { id } = useUser()
  const { id: ticketId, unreadMessages } = ticket
  const mine = ticket.status === 'open' && ticket.userId === id
  const newest = messages.at(-1)?.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message is looked at anew
  useEffect(() => {
    if (!mine || unreadMessages === 0) return
    const look = () => {
      if (document.visibilityState === 'visible')
        lookAgain(ticketId).catch(error => console.warn('reading was not told', error))
    }
    look()
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [mine, ticketId, unreadMessages, newest])
}

/** A ticket that lost its connection cannot be answered: said once, with the dialog that mends it. */
function useConnectionWarning(ticket: Ticket, transfer: () => void) {
  const t = messageText()
  const told = useRef(false)
  const missing = ticket.whatsappId === null && ticket.status !== 'closed'
  useEffect(() => {
    if (!missing || told.current) return
    told.current = true
    notify.warn(t('needConnection'), { seconds: 15 })
    transfer()
  })
}

/** Not found, or not to be looked into: said once, back to the list. */
function NotHere({ error }: { error: ApiError }) {
  useEffect(() => notify.failed(error), [error])
  return <Navigate to="/tickets" replace />
}
