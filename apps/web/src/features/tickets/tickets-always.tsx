import { useEffect, useRef } from 'react'
import { useMatch } from 'react-router'
import { notify } from '../../platform/notify.tsx'
import { useUser, useViewer } from '../../platform/session.tsx'
import { announce } from '../../ui/announcer.tsx'
import { useGoTo } from '../../ui/go-to.ts'
import { soon } from '../../ui/soon.tsx'
import { lastWords } from './last-words.ts'
import { ring, ringsNot } from './sound.ts'
import { followTickets } from './tickets.live.ts'
import { useTicketText } from './tickets.text.ts'
import { useTitle } from './title.ts'

const MarksAlways = soon(() => import('./marks-always.tsx'))

/** Active on every screen: live caches, title, sound, notices. */
export function TicketsAlways() {
  const viewer = useViewer()
  const goTo = useGoTo()
  const { volume } = useUser()
  const shown = Number(useMatch('/tickets/:ticketId')?.params.ticketId ?? 0)
  const now = useRef({ shown, volume, goTo, arrived: '' })
  Object.assign(now.current, { shown, volume, goTo })
  useTitle()

  useEffect(
    () =>
      followTickets(viewer, {
        transferred(ticket, by) {
          ring('transfer', now.current.volume)
          notify.handedOver(
            useTicketText.read('transferred', { name: by.name, contact: ticket.contact.name }),
            {
              seconds: 'stays',
              action: {
                label: useTicketText.read('view'),
                act: () => now.current.goTo(`/tickets/${ticket.id}`),
              },
            },
          )
        },
        removed(ticketId) {
          if (now.current.shown !== ticketId) return
          notify.info(useTicketText.read('removed'))
          now.current.goTo('/tickets')
        },
        arrived(message, ticket) {
          if (now.current.arrived === message.id) return
          now.current.arrived = message.id
          const { name } = ticket.contact
          if (now.current.shown === ticket.id)
            announce(useTicketText.read('messageOf', { name, words: lastWords(ticket) }))
          else if (ticket.userId === viewer.id) announce(useTicketText.read('arrived', { name }))
          if (now.current.shown === ticket.id && document.visibilityState === 'visible') return ringsNot()
          if (ticket.status === 'pending') ring('waiting', now.current.volume)
          else if (ticket.userId === viewer.id) ring('message', now.current.volume)
        },
      }),
    [viewer],
  )
  return <MarksAlways />
}
