import { Button } from '@mantine/core'
import { IconArchive, IconInbox, IconMessageCheck, IconMessagePlus, IconSearch } from '@tabler/icons-react'
import { Empty } from '../../ui/empty.tsx'
import { useTicketText } from './tickets.text.ts'

export type Which = 'assigned' | 'pending' | 'closed' | 'search'

const empty = {
  assigned: { icon: IconMessageCheck, title: 'noAssigned', hint: 'noAssignedHint' },
  pending: { icon: IconInbox, title: 'noPending', hint: 'noPendingHint' },
  closed: { icon: IconArchive, title: 'noClosed', hint: null },
  search: { icon: IconSearch, title: 'noFound', hint: 'noFoundHint' },
} as const

/** Why a list is empty and what to do about it. */
export function ListEmpty({ which, onNew }: { which: Which; onNew: (() => void) | undefined }) {
  const t = useTicketText()
  const { icon: Icon, title, hint } = empty[which]
  return (
    <Empty
      icon={<Icon size={26} stroke={1.75} />}
      title={t(title)}
      action={
        onNew &&
        which !== 'closed' && (
          <Button variant="default" leftSection={<IconMessagePlus size={16} />} onClick={onNew}>
            {t('newTicket')}
          </Button>
        )
      }
    >
      {hint && t(hint)}
    </Empty>
  )
}
