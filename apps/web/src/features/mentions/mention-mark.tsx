import { useQuery } from '@tanstack/react-query'
import { Badge } from '../../ui/badge.tsx'
import { unreadMentions } from './mentions.api.ts'
import { useMentionNoticeText } from './mentions.notice.text.ts'

/** How many mentions are not read. */
export default function MentionMark() {
  const t = useMentionNoticeText()
  const count = useQuery(unreadMentions).data?.unread ?? 0
  return count > 0 && <Badge count={count} look="tertiary" label={t('unreadCount', { count })} />
}
