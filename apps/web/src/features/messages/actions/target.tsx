import { canSee } from '@balcao/contract/tickets.rules.ts'
import { type Ticket, tickets } from '@balcao/contract/tickets.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../platform/call.ts'
import { notify } from '../../../platform/notify.tsx'
import { useViewer } from '../../../platform/session.tsx'
import { type Chosen, ContactPicker } from '../../contacts/contact-picker.tsx'
import { StartFields, useStartFields } from '../../contacts/start-fields.tsx'
import { useForwardText } from './actions.text.ts'
import { activeTicketOf } from './forward.ts'
import { OpenTickets } from './open-tickets.tsx'

/** A contact, or the ticket of one. */
type To = Chosen & { ticket?: Ticket }

type Target = ReturnType<typeof useTarget>

/** The contact or ticket that is chosen, where it will go for it, and the ticket once it is wanted. */
export function useTarget() {
  const [to, choose] = useState<To | null>(null)
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
  return { to, choose, active, isReady, fields, reach }
}

/** An open ticket, or a contact, for which a ticket is opened if none is active. `without`: a ticket that is not offered. */
export function TargetFields({
  target: { to, choose, active, fields },
  without = 0,
}: {
  target: Target
  without?: number
}) {
  return (
    <>
      <ContactPicker contact={to} onPick={choose} />
      {!to && <OpenTickets without={without} onPick={ticket => choose({ ...ticket.contact, ticket })} />}
      {to && active !== undefined && <Where active={active} fields={fields} />}
    </>
  )
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
