import { NO_QUEUE } from '@balcao/contract/tickets.rules.ts'
import { Button, Checkbox, FocusTrap, NativeSelect, Stack } from '@mantine/core'
import { IconLayoutKanban } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useUser, useViewer } from '../../platform/session.tsx'
import { useOrder, usePlace } from './place.ts'
import { useTicketText } from './tickets.text.ts'

/** The viewer's own queues to choose among, and those without one; none chosen means all. */
export default function ListChoice() {
  const t = useTicketText()
  const { queues } = useUser()
  const { allowNoQueue } = useViewer().authorization
  const [{ queueIds }, go] = usePlace()
  const [order, setOrder] = useOrder()
  return (
    <FocusTrap>
      <Stack gap={16}>
        <NativeSelect
          label={t('order')}
          value={order}
          onChange={event => setOrder(event.currentTarget.value === 'waiting' ? 'waiting' : 'newest')}
          data={[
            { value: 'newest', label: t('newestFirst') },
            { value: 'waiting', label: t('longestFirst') },
          ]}
        />
        <Checkbox.Group
          value={(queueIds ?? []).map(String)}
          onChange={values => go({ queueIds: values.length > 0 ? values.map(Number) : undefined })}
          label={queueIds ? t('queues') : t('allQueues')}
        >
          <Stack gap={8} mt={8}>
            {queues.map(queue => (
              <Checkbox key={queue.id} value={String(queue.id)} label={queue.name} />
            ))}
            {allowNoQueue === 1 && <Checkbox value={String(NO_QUEUE)} label={t('noQueue')} />}
          </Stack>
        </Checkbox.Group>
        <Button component={Link} to="/kanban" variant="default" leftSection={<IconLayoutKanban size={18} />}>
          {t('board')}
        </Button>
      </Stack>
    </FocusTrap>
  )
}
