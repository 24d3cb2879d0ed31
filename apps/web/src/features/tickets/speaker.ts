import type { Ticket } from '@balcao/contract/tickets.ts'
import { useViewer } from '../../platform/session.tsx'
import { useTicketText } from './tickets.text.ts'

/** Whose the last words of a row are, where the company spoke: "Você" only for oneself. Empty for the customer. */
export function useSpeaker({ lastMessageFromMe, lastMessageBy }: Ticket): string {
  const t = useTicketText()
  const { id } = useViewer()
  if (!lastMessageFromMe || !lastMessageBy) return ''
  const { source, user } = lastMessageBy
  if (source === 'contact') return ''
  if (source !== 'person') return t(source)
  if (!user) return ''
  return user.id === id ? t('you') : (user.name.split(' ')[0] ?? user.name)
}
