import type { Ticket } from '@balcao/contract/tickets.ts'
import { useViewer } from '../../platform/session.tsx'
import { useTicketText } from './tickets.text.ts'

/**
 * Author of the last message of a row, if the company wrote it: "Você" only for the viewer. Empty for the
 * customer.
 */
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
