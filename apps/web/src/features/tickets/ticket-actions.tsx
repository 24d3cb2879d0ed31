import { queueForAccept } from '@balcao/contract/tickets.rules.ts'
import { type Ticket, tickets } from '@balcao/contract/tickets.ts'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { ApiError, call } from '../../platform/call.ts'
import { drafts } from '../../platform/drafts.ts'
import { notify } from '../../platform/notify.tsx'
import { useViewer } from '../../platform/session.tsx'
import { ticketText } from './tickets.text.ts'

const AcceptTicketDialog = lazy(() => import('./accept-ticket.dialog.tsx'))
const NewTicketDialog = lazy(() => import('./new-ticket.dialog.tsx'))
const RemoveTicketDialog = lazy(() => import('./remove-ticket.dialog.tsx'))
const TransferTicketDialog = lazy(() => import('./transfer-ticket.dialog.tsx'))

type Change = {
  status?: Ticket['status']
  userId?: number | null
  queueId?: number | null
  whatsappId?: number
  transf?: boolean
}

/** The verbs of a ticket as its buttons and shortcuts call them, and the dialogs that some of them need. */
export function useTicketActions(ticket: Ticket) {
  const t = ticketText()
  const viewer = useViewer()
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<'accept' | 'transfer' | 'remove' | 'again' | null>(null)
  const close = () => setDialog(null)

  const takenBy = ticket.status === 'open' && ticket.userId !== viewer.id ? ticket.user?.name : undefined
  useEffect(() => {
    if (dialog !== 'accept' || !takenBy) return
    setDialog(null)
    notify.info(t('taken', { name: takenBy }), { seconds: 9 })
  }, [dialog, takenBy, t])

  /** After an action an open ticket is shown, any other leads back to the list. */
  async function change(body: Change) {
    try {
      const changed = await call(tickets.change, { params: { ticketId: ticket.id }, body })
      if (body.status !== 'open' || body.transf) drafts.drop(ticket.id)
      close()
      await navigate(
        changed.status === 'open' && changed.userId === viewer.id ? `/tickets/${changed.id}` : '/tickets',
      )
    } catch (error) {
      tellWhy(error)
    }
  }

  function tellWhy(error: unknown) {
    const holder =
      error instanceof ApiError && error.code === 'ERR_TICKET_TAKEN'
        ? (error.details?.user as { name: string } | null)
        : null
    if (holder) notify.info(t('taken', { name: holder.name }), { seconds: 9 })
    else notify.failed(error)
    close()
  }

  async function remove() {
    await call(tickets.remove, { params: { ticketId: ticket.id } }).then(close, tellWhy)
  }

  const accept = () => {
    const queueId = queueForAccept(viewer, ticket)
    if (queueId === null && viewer.queueIds.length > 0) setDialog('accept')
    else void change({ status: 'open', userId: viewer.id, queueId })
  }

  const dialogs = (
    <Suspense>
      {dialog === 'accept' && (
        <AcceptTicketDialog
          ticket={ticket}
          onClose={close}
          onChoose={queueId => void change({ status: 'open', userId: viewer.id, queueId })}
        />
      )}
      {dialog === 'transfer' && (
        <TransferTicketDialog
          ticket={ticket}
          onClose={close}
          onChoose={to => void change({ ...to, transf: true })}
        />
      )}
      {dialog === 'remove' && (
        <RemoveTicketDialog ticket={ticket} onClose={close} onConfirm={() => void remove()} />
      )}
      {dialog === 'again' && <NewTicketDialog with={ticket.contact} onClose={close} />}
    </Suspense>
  )

  return {
    accept,
    resolve: () => void change({ status: 'closed', userId: viewer.id }),
    giveBack: () => void change({ status: 'pending', userId: null, queueId: null }),
    reopen: () => void change({ status: 'open', userId: viewer.id }),
    transfer: () => setDialog('transfer'),
    remove: () => setDialog('remove'),
    /** A new conversation with the contact of one that is closed. */
    again: () => setDialog('again'),
    dialogs,
  }
}
