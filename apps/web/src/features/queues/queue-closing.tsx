import { QueueClosing } from '@balcao/contract/closingReasons.ts'
import { Button, Group, Stack, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { GreetingField } from '../../ui/greeting-field.tsx'
import { useMeanwhile } from '../../ui/list-screen/use-meanwhile.tsx'
import { queueClosing, saveQueueClosing } from './queues.closing.api.ts'
import { useQueueClosingText } from './queues.closing.text.ts'

/** How the tickets of a queue are closed: whether a reason is required, and the farewell. */
export function QueueClosingForm({ queueId }: { queueId: number }) {
  const { data } = useQuery(queueClosing(queueId))
  return data ? <Form key={queueId} queueId={queueId} closing={data} /> : null
}

function Form({ queueId, closing }: { queueId: number; closing: QueueClosing }) {
  const t = useQueueClosingText()
  const [values, setValues] = useState(closing)
  const [kept, setKept] = useState(closing)
  const meanwhile = useMeanwhile()
  async function save(seen = kept) {
    try {
      await saveQueueClosing(queueId, values, seen)
      setKept(values)
      notify.done(t('saved'))
    } catch (error) {
      if (!meanwhile.asks(error, current => void save(QueueClosing.parse(current)))) notify.failed(error)
    }
  }
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        void save()
      }}
      noValidate
    >
      {meanwhile.question}
      <Stack gap={10} mt={20}>
        <Switch
          label={t('reasonRequired')}
          checked={values.reasonRequired}
          onChange={event => setValues({ ...values, reasonRequired: event.currentTarget.checked })}
        />
        <GreetingField
          label={t('farewell')}
          description={t('farewellHint')}
          value={values.farewell}
          onChange={farewell => setValues({ ...values, farewell })}
        />
        <Group justify="flex-end">
          <Button type="submit" variant="default">
            {t('saveClosing')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
