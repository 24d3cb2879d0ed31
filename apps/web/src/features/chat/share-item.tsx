import type { Branding } from '@balcao/contract/companies.ts'
import { may } from '@balcao/contract/permissions.rules.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { Menu } from '@mantine/core'
import { IconMessageShare } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useViewer } from '../../platform/session.tsx'
import { useShareText } from './chat.share.text.ts'
import { shared } from './chat.share.ts'

/** In the menu of a ticket, where there is a chat. */
export default function ShareItem({ ticket }: { ticket: Ticket }) {
  const t = useShareText()
  const viewer = useViewer()
  const { data } = useQuery<Branding>({ queryKey: ['branding'], enabled: false })
  if (!data?.internalChatFlag || !may(viewer, 'chat')) return null
  return (
    <Menu.Item leftSection={<IconMessageShare size={16} />} onClick={() => shared.write(ticket)}>
      {t('share')}
    </Menu.Item>
  )
}
