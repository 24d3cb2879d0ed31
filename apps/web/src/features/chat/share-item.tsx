import type { Ticket } from '@balcao/contract/tickets.ts'
import { Menu } from '@mantine/core'
import { IconMessageShare } from '@tabler/icons-react'
import { useChatIsOn } from './chat.on.ts'
import { useShareText } from './chat.share.text.ts'
import { shared } from './chat.share.ts'

/** In the menu of a ticket, where there is a chat. */
export default function ShareItem({ ticket }: { ticket: Ticket }) {
  const t = useShareText()
  if (!useChatIsOn()) return null
  return (
    <Menu.Item leftSection={<IconMessageShare size={16} />} onClick={() => shared.write(ticket)}>
      {t('share')}
    </Menu.Item>
  )
}
