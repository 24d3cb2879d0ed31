import { useQuery } from '@tanstack/react-query'
import { texts } from '../../platform/text.ts'
import { Badge } from '../../ui/badge.tsx'
import { chatRooms } from './chat.api.ts'

const useText = texts({
  unread_one: ['{count} mensagem não lida', '{count} unread message', '{count} mensaje sin leer'],
  unread: ['{count} mensagens não lidas', '{count} unread messages', '{count} mensajes sin leer'],
})

/** How many messages of colleagues are not read. */
export default function ChatMark() {
  const t = useText()
  const count = useQuery(chatRooms).data?.unread ?? 0
  return count > 0 && <Badge count={count} look="tertiary" label={t('unread', { count })} />
}
