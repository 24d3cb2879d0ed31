import { messageChannel } from '@balcao/contract/messages.ts'
import { type Ticket, ticketChannel } from '@balcao/contract/tickets.ts'
import { useEffect } from 'react'
import { listen } from '../../platform/live.ts'
import { notify } from '../../platform/notify.tsx'
import { useUser, useViewer } from '../../platform/session.tsx'
import { useGoTo } from '../../ui/go-to.ts'
import { useFollowedNews } from './follow-news.ts'
import { ring } from './sound.ts'
import { followMarks, marksHere } from './tickets.marks.live.ts'
import { useTicketMarkText } from './tickets.marks.text.ts'

/** Loaded after the lists: what this user marks, and the notices of followed and snoozed tickets. */
export default function MarksAlways() {
  const viewer = useViewer()
  const { volume } = useUser()
  const goTo = useGoTo()
  useFollowedNews()
  useEffect(() => followMarks(viewer), [viewer])
  useEffect(() => {
    const tell = (which: 'wrote' | 'back', { id, contact }: Ticket) => {
      if (window.location.pathname === `/tickets/${id}`) return
      ring('message', volume)
      notify.info(useTicketMarkText.read(which, { name: contact.name }), {
        id: `${which} ${id}`,
        seconds: 9,
        actions: [{ label: useTicketMarkText.read('view'), act: () => goTo(`/tickets/${id}`) }],
      })
    }
    const stops = [
      // those of one's own ring already
      listen(messageChannel, push => {
        if (push.action !== 'create' || push.message.fromMe || push.message.read) return
        const { ticket } = push
        const isOthers = ticket.status === 'open' && ticket.userId !== viewer.id
        if (isOthers && marksHere()?.following.includes(ticket.id)) tell('wrote', ticket)
      }),
      // by its time: whoever moves it knows, and the customer's message has its own notice
      listen(ticketChannel, push => {
        if (push.action !== 'update' || !push.before?.snoozedUntil || push.ticket.snoozedUntil) return
        const isOver = Date.parse(push.before.snoozedUntil) <= Date.now() + LATE_MS
        if (isOver && push.ticket.userId === viewer.id) tell('back', push.ticket)
      }),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [viewer, volume, goTo])
  return null
}

/** Clocks of browsers differ from the server's by so much. */
const LATE_MS = 60_000
