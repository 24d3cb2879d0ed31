import { may } from '@balcao/contract/permissions.rules.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { Menu } from '@mantine/core'
import { IconAlarm, IconCheck, IconEye, IconMail, IconPin } from '@tabler/icons-react'
import { type RefObject, useEffect, useState } from 'react'
import { useViewer } from '../../platform/session.tsx'
import SnoozeDialog from './snooze.dialog.tsx'
import { useSwipes } from './swipe.ts'
import { useTicketActions } from './ticket-actions.tsx'
import { ticketInLists } from './tickets.api.ts'
import { markTicket, markUnread, snoozeTicket } from './tickets.marks.api.ts'
import { useTicketMarkText } from './tickets.marks.text.ts'

interface Opened {
  ticket: Ticket
  /** Where the menu opens; the other two are what a finger swiped a row to. */
  at: { x: number; y: number } | 'snooze' | 'resolve'
}

const ticketAt = (target: EventTarget | null) =>
  ticketInLists(
    Number((target as Element | null)?.closest<HTMLElement>('[data-ticket]')?.dataset.ticket ?? 0),
  )

/** The menu of a row, by the other button of the mouse or the key of menus; on a touch screen a row is swiped. */
export default function RowMenu({ box }: { box: RefObject<HTMLElement | null> }) {
  const [opened, setOpened] = useState<Opened | null>(null)
  useEffect(() => {
    const area = box.current
    const open = (event: MouseEvent) => {
      const ticket = ticketAt(event.target)
      // a finger that rests scrolls, or selects
      if (!ticket || (event as PointerEvent).pointerType === 'touch') return
      event.preventDefault()
      const { bottom, left } = (event.target as Element).getBoundingClientRect()
      setOpened({
        ticket,
        at: event.clientX ? { x: event.clientX, y: event.clientY } : { x: left, y: bottom },
      })
    }
    area?.addEventListener('contextmenu', open)
    return () => area?.removeEventListener('contextmenu', open)
  }, [box])
  useSwipes(box, (target, to) => {
    const ticket = ticketAt(target)
    if (ticket && ticket.status !== 'closed') setOpened({ ticket, at: to })
  })
  const close = () => setOpened(null)
  return opened && <OfRow key={opened.ticket.id} {...opened} onClose={close} />
}

function OfRow({ ticket, at, onClose }: Opened & { onClose(): void }) {
  const t = useTicketMarkText()
  const viewer = useViewer()
  const { resolve, dialogs } = useTicketActions(ticket)
  const [isChoosing, setChoosing] = useState(at === 'snooze')
  const mayResolve =
    ticket.status === 'open' || (ticket.status === 'pending' && may(viewer, 'tickets:resolveMany'))
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for the swipe that opened it
  useEffect(() => {
    if (at !== 'resolve') return
    if (mayResolve) resolve()
    onClose()
  }, [])
  const { status, pinned, following, unreadMessages, snoozedUntil } = ticket
  if (isChoosing) return <SnoozeDialog ticket={ticket} onClose={onClose} />
  if (typeof at === 'string') return dialogs
  return (
    <>
      <Menu opened onChange={isOpen => isOpen || isChoosing || onClose()} position="bottom-start" returnFocus>
        <Menu.Target>
          <span style={{ position: 'fixed', left: at.x, top: at.y }} />
        </Menu.Target>
        <Menu.Dropdown aria-label={t('rowMenu')}>
          {status !== 'closed' && (
            <>
              <Menu.Item
                closeMenuOnClick={snoozedUntil !== null}
                leftSection={<IconAlarm size={16} />}
                onClick={() => (snoozedUntil ? void snoozeTicket(ticket, null) : setChoosing(true))}
              >
                {t(snoozedUntil ? 'wake' : 'snooze')}
              </Menu.Item>
              <Menu.Item
                leftSection={<IconMail size={16} />}
                onClick={() => void markUnread(ticket, unreadMessages === 0)}
              >
                {t(unreadMessages === 0 ? 'unread' : 'read')}
              </Menu.Item>
            </>
          )}
          <Menu.Item
            leftSection={<IconPin size={16} />}
            onClick={() => void markTicket(ticket, 'pin', !pinned, viewer)}
          >
            {t(pinned ? 'unpin' : 'pin')}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconEye size={16} />}
            onClick={() => void markTicket(ticket, 'follow', !following, viewer)}
          >
            {t(following ? 'unfollow' : 'follow')}
          </Menu.Item>
          {mayResolve && (
            <Menu.Item leftSection={<IconCheck size={16} />} onClick={resolve}>
              {t('resolve')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {dialogs}
    </>
  )
}
