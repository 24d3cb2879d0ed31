import { Popover } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { IconButton } from '../../ui/icon-button.tsx'
import type { QueueChoiceProps } from './queue-choice.tsx'
import { ticketText } from './tickets.text.ts'

const QueueChoice = lazy(() => import('./queue-choice.tsx'))

/** Which of the viewer's own queues the lists show. */
export function QueueFilter({ chosen, onChoose }: QueueChoiceProps) {
  const t = ticketText()
  const [open, setOpen] = useState(false)
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-end" returnFocus>
      <Popover.Target>
        <IconButton label={t('queues')} on={chosen !== undefined} onClick={() => setOpen(!open)}>
          <IconFilter size={19} stroke={1.75} />
        </IconButton>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('queues')}>
        <Suspense>
          <QueueChoice chosen={chosen} onChoose={onChoose} />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  )
}
