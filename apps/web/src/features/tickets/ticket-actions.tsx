import { canRead, queueForAccept } from '@balcao/contract/tickets.rules.ts'
import { type Ticket, tickets } from '@balcao/contract/tickets.ts'
import { useEffect, useState } from 'react'
import { ApiError, call } from '../../platform/call.ts'
import { notify } from '../../platform/notify.tsx'
import { useViewer } from '../../platform/session.tsx'
import { useActing } from '../../ui/acting.ts'
import { useGoTo } from '../../ui/go-to.ts'
import { soon } from '../../ui/soon.tsx'
import { follower } from './lists.ts'
import { useOpensNext, useToList } from './place.ts'
import { useTicketText } from './tickets.text.ts'

const AcceptTicketDialog = soon(() => import('./accept-ticket.dialog.tsx'))
const NewTicketDialog = soon(() => import('../contacts/new-ticket.dialog.tsx'))
const RemoveTicketDialog = soon(() => import('./remove-ticket.dialog.tsx'))
const ExportTicketsDialog = soon(() => import('./export-tickets.dialog.tsx'))
const ScheduleDialog = soon(() => import('../schedules/schedule.dialog.tsx'))
const ResolveTicketDialog = soon(() => import('./resolve-ticket.dialog.tsx'))
const TranscriptDialog = soon(() => import('./transcript.dialog.tsx'))
const TransferTicketDialog = soon(() => import('./transfer-ticket.dialog.tsx'))

type Did = 'didAccept' | 'didResolve' | 'didReturn' | 'didReopen' | 'didTransfer'

const UNDO_SECONDS = 6

/** The ticket that followed a resolved one: until that time a second press, meant for the one before, does not resolve it. */
let followed = { id: 0, until: 0 }

type Change = {
  status?: Ticket['status']
  userId?: number | null
  queueId?: number | null
  whatsappId?: number
  transf?: boolean
  closingReasonId?: number
  closingNote?: string
}

/** The verbs of a ticket as its buttons and shortcuts call them, and the dialogs that some of them need. */
export function useTicketActions(ticket: Ticket) {
  const t = useTicketText()
  const viewer = useViewer()
  const goTo = useGoTo()
  const toList = useToList()
  const [opensNext] = useOpensNext()
  const [dialog, setDialog] = useState<
    'accept' | 'resolve' | 'transfer' | 'remove' | 'again' | 'export' | 'transcript' | 'schedule' | null
  >(null)
  const close = () => setDialog(null)
  const { busy, act } = useActing()

  const attendedBy = ticket.status === 'open' && ticket.userId !== viewer.id ? ticket.user?.name : undefined
  useEffect(() => {
    if (dialog !== 'accept' || !attendedBy) return
    setDialog(null)
    notify.info(t('taken', { name: attendedBy }), { seconds: 9 })
  }, [dialog, attendedBy, t])

  /**
   * After an action the viewer's own open ticket is shown; from any other that was open the way leads to the list, or
   * to the next ticket, unless the user navigated meanwhile. The action can be undone.
   */
  async function changed(did: Did, body: Change) {
    // the address, which is ahead of the screen
    const here = () => window.location.pathname
    const place = here()
    const isOpened = place === `/tickets/${ticket.id}`
    const findFollower = follower(viewer, ticket.id)
    try {
      const changed = await call(tickets.change, { params: { ticketId: ticket.id }, body })
      const own = changed.status === 'open' && changed.userId === viewer.id
      close()
      const follows = findFollower()
      const openNext = () => goTo(`/tickets/${follows?.id}`)
      // the user may have navigated meanwhile
      const isHere = here() === place
      const isLed = isHere && isOpened && !own && opensNext && did === 'didResolve' && follows
      if (isLed) {
        followed = { id: follows.id, until: performance.now() + 1_000 }
        openNext()
      } else if (isHere && own !== isOpened) {
        if (own) goTo(`/tickets/${ticket.id}`)
        else toList()
      }
      const moved = changed.whatsappId !== ticket.whatsappId
      notify.done(t(did, { name: ticket.contact.name }), {
        // one bar at a time: the last action can be undone
        id: 'done',
        seconds: UNDO_SECONDS,
        actions: [
          ...(moved ? [] : [{ label: t('undo'), act: () => void undo() }]),
          ...(follows && !isLed && did !== 'didReopen'
            ? [
                {
                  label: t('next', { name: follows.contact.name }),
                  act: openNext,
                },
              ]
            : []),
        ],
      })
    } catch (error) {
      reportFailure(error)
    }
  }

  const change = (did: Did, body: Change) => void act(() => changed(did, body))

  async function undo() {
    try {
      const back = await call(tickets.undo, { params: { ticketId: ticket.id } })
      goTo(back.status === 'open' && canRead(viewer, back) ? `/tickets/${back.id}` : '/tickets')
    } catch (error) {
      notify.failed(error)
    }
  }

  function reportFailure(error: unknown) {
    const holder =
      error instanceof ApiError && error.code === 'ERR_TICKET_TAKEN'
        ? (error.details?.user as { name: string } | null)
        : null
    if (holder) notify.info(t('taken', { name: holder.name }), { seconds: 9 })
    else notify.failed(error)
    close()
  }

  const remove = () =>
    void act(() => call(tickets.remove, { params: { ticketId: ticket.id } }).then(close, reportFailure))

  const accept = () => {
    const queueId = queueForAccept(viewer, ticket)
    if (queueId === null && viewer.queueIds.length > 0) setDialog('accept')
    else change('didAccept', { status: 'open', userId: viewer.id, queueId })
  }

  const dialogs = (
    <>
      {dialog === 'accept' && (
        <AcceptTicketDialog
          ticket={ticket}
          onClose={close}
          busy={busy}
          onChoose={queueId => change('didAccept', { status: 'open', userId: viewer.id, queueId })}
        />
      )}
      {dialog === 'resolve' && (
        <ResolveTicketDialog
          ticket={ticket}
          onClose={close}
          busy={busy}
          onResolve={closing => change('didResolve', { status: 'closed', userId: viewer.id, ...closing })}
        />
      )}
      {dialog === 'transfer' && (
        <TransferTicketDialog
          ticket={ticket}
          onClose={close}
          busy={busy}
          onChoose={to => change('didTransfer', { ...to, transf: true })}
        />
      )}
      {dialog === 'remove' && (
        <RemoveTicketDialog ticket={ticket} onClose={close} busy={busy} onConfirm={remove} />
      )}
      {dialog === 'again' && <NewTicketDialog with={ticket.contact} onClose={close} />}
      {dialog === 'export' && <ExportTicketsDialog contact={ticket.contact} onClose={close} />}
      {dialog === 'transcript' && <TranscriptDialog ticket={ticket} onClose={close} />}
      {dialog === 'schedule' && <ScheduleDialog id={null} begun={ticket} onClose={close} />}
    </>
  )

  return {
    accept,
    resolve: () => {
      if (followed.id !== ticket.id || performance.now() > followed.until) setDialog('resolve')
    },
    giveBack: () => change('didReturn', { status: 'pending', userId: null, queueId: null }),
    reopen: () => change('didReopen', { status: 'open', userId: viewer.id }),
    transfer: () => setDialog('transfer'),
    remove: () => setDialog('remove'),
    /** A new conversation with the contact of a closed one. */
    again: () => setDialog('again'),
    /** A scheduled message to the contact. */
    schedule: () => setDialog('schedule'),
    /** The contact's messages as a file. */
    exportIt: () => setDialog('export'),
    /** The conversation as a PDF. */
    transcribe: () => setDialog('transcript'),
    dialogs,
  }
}
