import { Checkbox, Popover, Stack } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import { useState } from 'react'
import { useUser } from '../../platform/session.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { ticketText } from './tickets.text.ts'

/** Which of the viewer's own queues the lists show; none chosen means all. */
export function QueueFilter({
  chosen,
  onChoose,
}: {
  chosen: number[] | undefined
  onChoose(queueIds: number[] | undefined): void
}) {
  const t = ticketText()
  const { queues } = useUser()
  const [open, setOpen] = useState(false)
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-end" trapFocus returnFocus>
      <Popover.Target>
        <IconButton label={t('queues')} on={chosen !== undefined} onClick={() => setOpen(!open)}>
          <IconFilter size={19} stroke={1.75} />
        </IconButton>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('queues')}>
        <Checkbox.Group
          value={(chosen ?? []).map(String)}
          onChange={values => onChoose(values.length > 0 ? values.map(Number) : undefined)}
          label={chosen ? t('queues') : t('allQueues')}
        >
          <Stack gap={8} mt={8}>
            {queues.map(queue => (
              <Checkbox key={queue.id} value={String(queue.id)} label={queue.name} />
            ))}
          </Stack>
        </Checkbox.Group>
      </Popover.Dropdown>
    </Popover>
  )
}
