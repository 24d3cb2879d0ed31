import { hexOf } from '@balcao/contract/colors.ts'
import { type Queue, QueueInput } from '@balcao/contract/queues.ts'
import { Group, Input, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Chip } from '../../ui/chip.tsx'
import { ColorField } from '../../ui/color-field.tsx'
import { GreetingField } from '../../ui/greeting-field.tsx'
import { RowDialog, type RowDialogProps } from '../../ui/list-screen/row.dialog.tsx'
import { RowForm } from '../../ui/list-screen/row-form.tsx'
import { swatches } from '../../ui/swatches.ts'
import { OwnHours } from '../businessHours/own-hours.tsx'
import { QueueClosingForm } from './queue-closing.tsx'
import { oneQueue, saveQueue } from './queues.api.ts'
import { queueChoices } from './queues.choices.ts'
import { useQueueText } from './queues.text.ts'

/** Adds a queue, or changes the one of the address. */
export function QueueDialog({ id, onClose }: RowDialogProps) {
  const t = useQueueText()
  const { data: others, isPending } = useQuery(queueChoices)
  return (
    <RowDialog id={id} row={oneQueue} title={t(id === null ? 'add' : 'edit')} size={620} onClose={onClose}>
      {queue => (
        <>
          {(queue || !isPending) && <QueueForm queue={queue} others={others ?? []} onClose={onClose} />}
          {queue && <QueueClosingForm queueId={queue.id} />}
        </>
      )}
    </RowDialog>
  )
}

interface Props {
  queue: Queue | null
  /** A new queue gets a colour that none of these has. */
  others: Queue[]
  onClose(): void
}

function QueueForm({ queue, others, onClose }: Props) {
  const t = useQueueText()
  return (
    <RowForm
      schema={QueueInput}
      initialValues={{
        name: queue?.name ?? '',
        color: queue?.color ?? freeColor(others),
        greetingMessage: queue?.greetingMessage ?? '',
        outOfHoursMessage: queue?.outOfHoursMessage ?? '',
        hours: queue?.hours ?? null,
        holidays: queue?.holidays ?? null,
      }}
      row={queue}
      isNew={queue === null}
      save={(values, _changed, seen) => saveQueue(queue?.id ?? null, values, seen)}
      onClose={onClose}
    >
      {form => (
        <>
          <TextInput data-autofocus label={t('name')} maxLength={50} {...form.getInputProps('name')} />
          <ColorField label={t('color')} {...form.getInputProps('color')} />
          <Group gap={8}>
            <Input.Description>{t('preview')}</Input.Description>
            {hexOf(form.values.color) && (
              <Chip
                label={form.values.name.trim() || t('unnamed')}
                color={form.values.color}
                on="bg-raised"
              />
            )}
          </Group>
          <GreetingField
            label={t('greeting')}
            description={t('greetingHint')}
            {...form.getInputProps('greetingMessage')}
          />
          <GreetingField
            label={t('outOfHours')}
            description={t('outOfHoursHint')}
            {...form.getInputProps('outOfHoursMessage')}
          />
          <OwnHours
            value={form.values}
            hint={t('ownHoursHint')}
            wrong={Object.keys(form.errors)}
            onHours={hours => form.setFieldValue('hours', hours)}
            onHolidays={holidays => form.setFieldValue('holidays', holidays)}
          />
        </>
      )}
    </RowForm>
  )
}

/** A colour that is distinct from those of the others; the first one where all are in use. */
function freeColor(others: Queue[]): string {
  const used = new Set<string | undefined>(others.map(({ color }) => hexOf(color)?.toLowerCase()))
  const all: string[] = Object.values(swatches)
  return all.find(color => !used.has(color)) ?? all[0]!
}
