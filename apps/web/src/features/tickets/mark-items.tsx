import type { Ticket } from '@balcao/contract/tickets.ts'
import { Menu } from '@mantine/core'
import { IconAlarm, IconEye, IconEyeOff, IconMail, IconPin, IconPinnedOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { actOn, keysText } from '../../platform/shortcuts.ts'
import { useTicketMarkText } from './tickets.marks.text.ts'

/** In the menu of the open ticket: each does what its shortcut does. */
export default function MarkItems({ ticket: { status, pinned, following } }: { ticket: Ticket }) {
  const t = useTicketMarkText()
  const item = (keys: string, name: Parameters<typeof t>[0], icon: ReactNode) => (
    <Menu.Item
      leftSection={icon}
      rightSection={<small>{keysText(keys)}</small>}
      onClick={() => actOn(shortcut => shortcut === keys)}
    >
      {t(name)}
    </Menu.Item>
  )
  const Pin = pinned ? IconPinnedOff : IconPin
  const Follow = following ? IconEyeOff : IconEye
  return (
    <>
      {status !== 'closed' && item('alt+6', 'snooze', <IconAlarm size={16} />)}
      {status !== 'closed' && item('alt+7', 'unread', <IconMail size={16} />)}
      {item('alt+8', pinned ? 'unpin' : 'pin', <Pin size={16} />)}
      {item('alt+9', following ? 'unfollow' : 'follow', <Follow size={16} />)}
    </>
  )
}
