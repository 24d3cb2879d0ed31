import { type QueueTargets, QueueTargetsInput } from '@balcao/contract/targets.ts'
import { Button, NativeSelect, NumberInput, Stack, Switch, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { whyNot } from '../../platform/errors.text.ts'
import { notify } from '../../platform/notify.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { saveTargets, targetsOf } from './targets.api.ts'
import { useTargetText } from './targets.text.ts'

interface Named {
  id: number
  name: string
}

/** What a queue promises its customers. */
export default function QueueTargetsDialog({
  queue,
  others,
  onClose,
}: {
  queue: Named
  others: Named[]
  onClose(): void
}) {
  const t = useTargetText()
  const { data, isError, error } = useQuery(targetsOf(queue.id))
  if (!data)
    return isError ? (
      <Dialog title={t('title', { name: queue.name })} onClose={onClose}>
        <p role="alert">{whyNot(error, t('failed'))}</p>
      </Dialog>
    ) : null
  return <Form queue={queue} others={others} initial={data} onClose={onClose} />
}

const FIELDS = ['firstReplyMinutes', 'replyMinutes', 'resolutionMinutes'] as const

interface FormProps {
  queue: Named
  others: Named[]
  initial: QueueTargets
  onClose(): void
}

function Form({ queue, others, initial, onClose }: FormProps) {
  const t = useTargetText()
  const [before] = useState(initial)
  const [values, setValues] = useState(initial)
  const [busy, setBusy] = useState(false)
  const isWrong = (field: (typeof FIELDS)[number]) =>
    !QueueTargetsInput.shape[field].safeParse(values[field]).success
  async function save() {
    setBusy(true)
    try {
      await saveTargets(queue.id, values)
      notify.done(t('saved'))
      onClose()
    } catch (error) {
      notify.failed(error)
      setBusy(false)
    }
  }
  return (
    <Dialog title={t('title', { name: queue.name })} onClose={onClose} isUnsaved={values !== before}>
      <form
        noValidate
        onSubmit={event => {
          event.preventDefault()
          if (!FIELDS.some(isWrong)) void save()
        }}
      >
        <Text size="sm" c="dimmed" mb={12}>
          {t('hint')}
        </Text>
        <Stack gap={12}>
          {FIELDS.map(field => (
            <NumberInput
              key={field}
              label={t(field)}
              data-path={field}
              clampBehavior="none"
              suffix=" min"
              value={values[field] ?? ''}
              onChange={value => setValues({ ...values, [field]: value === '' ? null : Number(value) })}
              error={isWrong(field) && t('bounds')}
            />
          ))}
          <Switch
            label={t('withinHours')}
            checked={values.withinHours}
            onChange={event => setValues({ ...values, withinHours: event.currentTarget.checked })}
          />
          <NativeSelect
            label={t('moveTo')}
            value={String(values.moveToQueueId ?? '')}
            onChange={event =>
              setValues({ ...values, moveToQueueId: Number(event.currentTarget.value) || null })
            }
            data={[
              { value: '', label: t('nowhere') },
              ...others
                .filter(({ id }) => id !== queue.id)
                .map(({ id, name }) => ({ value: String(id), label: name })),
            ]}
          />
        </Stack>
        <DialogActions onClose={onClose}>
          <Button type="submit" loading={busy}>
            {t('save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
