import { useEffect, useRef } from 'react'
import { useMatch, useNavigate } from 'react-router'
import { notify } from '../../platform/notify.tsx'
import { useUser, useViewer } from '../../platform/session.tsx'
import { ring } from './sound.ts'
import { followTickets } from './tickets.live.ts'
import { useTicketText } from './tickets.text.ts'
import { useTitle } from './title.ts'

/** What goes on with tickets whatever screen is shown: live caches, title, sound, notices. */
export function TicketsAlways() {
  const viewer = useViewer()
  const navigate = useNavigate()
  const { volume } = useUser()
  const shown = Number(useMatch('/tickets/:ticketId')?.params.ticketId ?? 0)
  const now = useRef({ shown, volume, navigate })
  now.current = { shown, volume, navigate }
  useTitle()

  useEffect(
    () =>
      followTickets(viewer, {
        transferred: (ticket, by) =>
          notify.handedOver(
            useTicketText.read('transferred', { name: by.name, contact: ticket.contact.name }),
            {
              seconds: 'stays',
              action: {
                label: useTicketText.read('view'),
                act: () => void now.current.navigate(`/tickets/${ticket.id}`),
              },
            },
          ),
        removed(ticketId) {
          if (now.current.shown !== ticketId) return
          notify.info(useTicketText.read('removed'))
          void now.current.navigate('/tickets')
        },
        arrived(_message, ticket) {
          const concerns = ticket.status === 'pending' || ticket.userId === viewer.id
          const looking = now.current.shown === ticket.id && document.visibilityState === 'visible'
          if (concerns && !looking) ring(now.current.volume)
        },
      }),
    [viewer],
  )
  return null
}
