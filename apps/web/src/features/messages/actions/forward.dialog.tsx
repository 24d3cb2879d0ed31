import type { Message } from '@balcao/contract/messages.ts'
import { canSee } from '@balcao/contract/tickets.rules.ts'
import { type Ticket, tickets } from '@balcao/contract/tickets.ts'
import { Button, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../platform/call.ts'
import { newId } from '../../../platform/ids.ts'
import { notify } from '../../../platform/notify.tsx'
import { useViewer } from '../../../platform/session.tsx'
import { useActing } from '../../../ui/acting.ts'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { useGoTo } from '../../../ui/go-to.ts'
import { type Chosen, ContactPicker } from '../../contacts/contact-picker.tsx'
import { StartFields, useStartFields } from '../../contacts/start-fields.tsx'
import { useForwardText } from './actions.text.ts'
import { activeTicketOf, type Copy, forwardMessages } from './forward.ts'
import { OpenTickets } from './open-tickets.tsx'

/** A contact, or the ticket of one. */
type To = Chosen & { ticket?: Ticket }

interface Props {
  /** In whose conversation they are read. */
  from: number
  messages: Message[]
  onDone(): void
  onClose(): void
}

/**
 * Target of forwarded messages: an open ticket, or a contact, for which a ticket is opened if none is active.
 */
export default function ForwardDialog({ from, messages, onDone, onClose }: Props) {
  const t = useForwardText()
  const goTo = useGoTo()
  const [to, setTo] = useState<To | null>(null)
  const copiesFor = useCopies(messages)
  const { active, isReady, fields, reach } = useTarget(to)
  const { busy, act } = useActing()
  const forward = () =>
    act(async () => {
      try {
        const ticket = await reach()
        if (!ticket) return
        await forwardMessages(ticket.id, from, copiesFor(ticket.id))
        notify.done(t('done', { count: messages.length, name: ticket.contact.name }), {
          seconds: 9,
          action: { label: t('view'), act: () => goTo(`/tickets/${ticket.id}`) },
        })
        onDone()
      } catch (error) {
        notify.failed(error)
      }
    })

  return (
    <Dialog title={t('forwardMany', { count: messages.length })} onClose={onClose} size={620}>
      <form
        onSubmit={event => {
          event.preventDefault()
          if (isReady) void forward()
        }}
      >
        <Stack gap={12}>
          <ContactPicker contact={to} onPick={setTo} />
          {!to && <OpenTickets without={from} onPick={ticket => setTo({ ...ticket.contact, ticket })} />}
          {to && active !== undefined && <Where active={active} fields={fields} />}
        </Stack>
        <DialogActions onClose={onClose}>
          <Button type="submit" disabled={!isReady} loading={busy}>
            {t('forward')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** Asked again for the same ticket they have the same ids; those for another ticket are others. */
function useCopies(messages: Message[]): (ticketId: number) => Copy[] {
  const [known] = useState(() => new Map<number, Copy[]>())
  return ticketId => {
    const copies = known.get(ticketId) ?? messages.map(({ id: messageId }) => ({ id: newId(), messageId }))
    known.set(ticketId, copies)
    return copies
  }
}

/** Where it will go for the contact that was chosen, and the ticket once it is wanted. */
function useTarget(to: To | null) {
  const t = useForwardText()
  const viewer = useViewer()
  const fields = useStartFields()
  const { data: found, refetch } = useQuery({
    ...activeTicketOf(to?.id ?? 0),
    enabled: to !== null && !to.ticket,
  })
  const active = to?.ticket ?? found
  const isReachable = (ticket: Ticket) => ticket.status === 'open' && canSee(viewer, ticket)
  /** The target ticket; null where the user has to choose first. */
  async function reach(): Promise<Ticket | null> {
    if (active) return active
    const { queueId, whatsappId } = fields
    if (queueId === null && !fields.mayBeWithoutQueue) {
      notify.warn(t('chooseQueue'))
      return null
    }
    const body = { contactId: to!.id, queueId, whatsappId, userId: viewer.id, status: 'open' as const }
    const opened = await call(tickets.open, { body })
    await refetch()
    return opened
  }
  const isReady = to !== null && active !== undefined && (active === null || isReachable(active))
  return { active, isReady, fields, reach }
}

function Where({ active, fields }: { active: Ticket | null; fields: ReturnType<typeof useStartFields> }) {
  const t = useForwardText()
  const viewer = useViewer()
  if (!active)
    return (
      <>
        <p role="status">{t('toNew')}</p>
        <StartFields {...fields} />
      </>
    )
  const words = () => {
    if (active.status === 'pending') return t('isPending')
    if (canSee(viewer, active)) return t('toOpen', { protocol: active.protocol })
    return t('others', { name: active.user?.name ?? '—', queue: active.queue?.name ?? t('noQueue') })
  }
  return <p role="status">{words()}</p>
}
