import { Button } from '@mantine/core'
import { IconArchive, IconInbox, IconMessageCheck, IconMessagePlus, IconSearch } from '@tabler/icons-react'
import { Empty } from '../../ui/empty.tsx'
import { usePlace } from './place.ts'
import { useFilterText } from './tickets.filters.text.ts'
import { useTicketText } from './tickets.text.ts'

export type Which = 'assigned' | 'pending' | 'closed' | 'search'

const empty = {
  assigned: { icon: IconMessageCheck, title: 'noAssigned', hint: 'noAssignedHint' },
  pending: { icon: IconInbox, title: 'noPending', hint: 'noPendingHint' },
  closed: { icon: IconArchive, title: 'noClosed', hint: null },
  unread: { icon: IconMessageCheck, title: 'noUnread', hint: 'noUnreadHint' },
  failed: { icon: IconMessageCheck, title: 'noFailed', hint: 'noFailedHint' },
  bot: { icon: IconInbox, title: 'noneOfBot', hint: null },
  search: { icon: IconSearch, title: 'noFound', hint: 'noFoundHint' },
} as const

interface Props {
  which: Which | 'unread' | 'failed' | 'bot'
  onNew: (() => void) | undefined
  onWiden: (() => void) | undefined
}

/** Why a list is empty and what to do about it. */
export function ListEmpty({ which, onNew, onWiden }: Props) {
  const t = useTicketText()
  const widen = useFilterText()('widen')
  const [, go] = usePlace()
  const { icon: Icon, title, hint } = empty[which]
  return (
    <Empty
      icon={<Icon size={26} stroke={1.75} />}
      title={t(title)}
      action={
        onWiden ? (
          <Button variant="default" leftSection={<IconSearch size={16} />} onClick={onWiden}>
            {widen}
          </Button>
        ) : which === 'unread' || which === 'failed' || which === 'bot' ? (
          <Button
            variant="default"
            onClick={() => go({ unread: undefined, failed: undefined, bot: undefined })}
          >
            {t('showAllRead')}
          </Button>
        ) : (
          onNew &&
          which !== 'closed' && (
            <Button variant="default" leftSection={<IconMessagePlus size={16} />} onClick={onNew}>
              {t('newTicket')}
            </Button>
          )
        )
      }
    >
      {hint && t(hint)}
    </Empty>
  )
}
