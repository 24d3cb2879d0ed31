import type { Contact } from '@balcao/contract/contacts.ts'
import { may } from '@balcao/contract/permissions.rules.ts'
import { canSee } from '@balcao/contract/tickets.rules.ts'
import { type Ticket, tickets } from '@balcao/contract/tickets.ts'
import { useState } from 'react'
import { ApiError, call } from '../../platform/call.ts'
import { notify } from '../../platform/notify.tsx'
import { useViewer } from '../../platform/session.tsx'
import { useGoTo } from '../../ui/go-to.ts'
import { useStartText } from './contacts.start.text.ts'

interface Start {
  contact: Pick<Contact, 'id'>
  queueId: number | null
  whatsappId: number | null
}

/** Starts a conversation; if the contact has an open one, opens that or shows who attends it. */
export function useStartTicket(onDone: () => void) {
  const t = useStartText()
  const viewer = useViewer()
  const goTo = useGoTo()
  const [busy, setBusy] = useState(false)

  const show = (ticket: Ticket) => {
    onDone()
    goTo(`/tickets/${ticket.id}`, { isSaved: true })
  }

  async function start({ contact, queueId, whatsappId }: Start) {
    if (queueId === null) {
      notify.warn(t('selectQueue'))
      if (!may(viewer, 'tickets:showAll')) return
    }
    setBusy(true)
    try {
      show(
        await call(tickets.open, {
          body: { contactId: contact.id, queueId, whatsappId, userId: viewer.id, status: 'open' },
        }),
      )
    } catch (error) {
      if (error instanceof ApiError && error.code === 'ERR_OTHER_OPEN_TICKET') await explain(contact)
      else notify.failed(error)
    } finally {
      setBusy(false)
    }
  }

  async function explain(contact: Start['contact']) {
    const active = await call(tickets.checkContactOpen, { body: { contactId: contact.id } }).catch(() => null)
    if (!active) return
    if (active.status === 'pending' && canSee(viewer, active)) {
      notify.info(t('already'), { seconds: 9 })
      return show(active)
    }
    if (active.userId === viewer.id) {
      notify.info(t('mine'), { seconds: 9 })
      return show(active)
    }
    const text = t('others', { name: active.user?.name ?? '—', queue: active.queue?.name ?? t('noQueue') })
    const view = may(viewer, 'tickets:showAll') && { action: { label: t('view'), act: () => show(active) } }
    notify.info(text, { seconds: 30, ...view })
  }

  return { start, busy }
}
