import { Checkbox, FocusTrap, Stack } from '@mantine/core'
import { useUser } from '../../platform/session.tsx'
import { ticketText } from './tickets.text.ts'

export interface QueueChoiceProps {
  chosen: number[] | undefined
  onChoose(queueIds: number[] | undefined): void
}

/** The viewer's own queues to choose among; none chosen means all. */
export default function QueueChoice({ chosen, onChoose }: QueueChoiceProps) {
  const t = ticketText()
  const { queues } = useUser()
  return (
    <FocusTrap>
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
    </FocusTrap>
  )
}
