import {
  type Assignment,
  AssignmentInput,
  AssignmentMode,
  MOST_MINUTES,
  MOST_OPEN,
  MOST_STICKY_DAYS,
} from '@balcao/contract/assignment.ts'
import type { Queue } from '@balcao/contract/queues.ts'
import { NativeSelect, NumberInput, Switch } from '@mantine/core'
import { RowDialog } from '../../ui/list-screen/row.dialog.tsx'
import { RowForm } from '../../ui/list-screen/row-form.tsx'
import { oneAssignment, saveAssignment } from './assignment.api.ts'
import { useAssignmentText } from './assignment.text.ts'

interface Props {
  queue: Pick<Queue, 'id' | 'name'>
  onClose(): void
}

/** Who gets the next ticket of a queue. */
export default function AssignmentDialog({ queue, onClose }: Props) {
  const t = useAssignmentText()
  return (
    <RowDialog
      id={queue.id}
      row={oneAssignment}
      title={t('title', { name: queue.name })}
      size={620}
      onClose={onClose}
    >
      {found => found && <AssignmentForm found={found} onClose={onClose} />}
    </RowDialog>
  )
}

function AssignmentForm({ found, onClose }: { found: Assignment; onClose(): void }) {
  const t = useAssignmentText()
  const { queueId, waitingReason, ...rules } = found
  return (
    <RowForm
      schema={AssignmentInput}
      initialValues={rules}
      row={found}
      save={(values, _changed, seen) => saveAssignment(queueId, values, seen)}
      onClose={onClose}
    >
      {form => {
        const gives = form.values.mode !== 'manual'
        const numberOf = (name: 'capacity' | 'stickyDays' | 'returnAfterMinutes', max: number) => ({
          ...{ min: 1, max, allowDecimal: false, allowNegative: false, error: form.errors[name] },
          value: form.values[name] ?? '',
          onChange: (value: string | number) => form.setFieldValue(name, value === '' ? null : Number(value)),
        })
        return (
          <>
            <NativeSelect
              data-autofocus
              label={t('mode')}
              data={AssignmentMode.options.map(mode => ({ value: mode, label: t(mode) }))}
              {...form.getInputProps('mode')}
              {...(waitingReason && { description: t(waitingReason) })}
            />
            {gives && (
              <>
                <NumberInput
                  label={t('capacity')}
                  description={t('capacityHint')}
                  {...numberOf('capacity', MOST_OPEN)}
                />
                <Switch label={t('ownerFirst')} {...form.getInputProps('ownerFirst', { type: 'checkbox' })} />
                <NumberInput
                  label={t('stickyDays')}
                  description={t('stickyHint')}
                  {...numberOf('stickyDays', MOST_STICKY_DAYS)}
                />
                <Switch
                  label={t('onlyWithinHours')}
                  {...form.getInputProps('onlyWithinHours', { type: 'checkbox' })}
                />
              </>
            )}
            <NumberInput
              label={t('returnAfterMinutes')}
              description={t('returnHint')}
              {...numberOf('returnAfterMinutes', MOST_MINUTES)}
            />
          </>
        )
      }}
    </RowForm>
  )
}
