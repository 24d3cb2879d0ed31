import { ClosingReasonInput } from '@balcao/contract/closingReasons.ts'
import { MultiSelect, Switch, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { RowDialog, type RowDialogProps } from '../../ui/list-screen/row.dialog.tsx'
import { RowForm } from '../../ui/list-screen/row-form.tsx'
import { queueChoices } from '../queues/queues.choices.ts'
import { oneClosingReason, saveClosingReason } from './closingReasons.api.ts'
import { useClosingReasonText } from './closingReasons.text.ts'

/** Adds a closing reason, or changes the one of the address. */
export function ClosingReasonDialog({ id, onClose }: RowDialogProps) {
  const t = useClosingReasonText()
  const { data: queues = [] } = useQuery(queueChoices)
  return (
    <RowDialog id={id} row={oneClosingReason} title={t(id === null ? 'add' : 'edit')} onClose={onClose}>
      {closingReason => (
        <RowForm
          schema={ClosingReasonInput}
          initialValues={{
            name: closingReason?.name ?? '',
            queueIds: closingReason?.queueIds ?? [],
            active: closingReason?.active ?? true,
            spam: closingReason?.spam ?? false,
          }}
          row={closingReason}
          isNew={closingReason === null}
          save={(values, _changed, seen) => saveClosingReason(id, values, seen)}
          onClose={onClose}
        >
          {form => (
            <>
              <TextInput data-autofocus label={t('name')} maxLength={50} {...form.getInputProps('name')} />
              <MultiSelect
                label={t('queues')}
                description={t('queuesHint')}
                data={queues.map(({ id: queueId, name }) => ({ value: String(queueId), label: name }))}
                value={form.values.queueIds.map(String)}
                onChange={chosen => form.setFieldValue('queueIds', chosen.map(Number))}
                error={form.errors.queueIds}
                searchable
                clearable
              />
              <Switch label={t('active')} {...form.getInputProps('active', { type: 'checkbox' })} />
              <Switch
                label={t('spam')}
                description={t('spamHint')}
                {...form.getInputProps('spam', { type: 'checkbox' })}
              />
            </>
          )}
        </RowForm>
      )}
    </RowDialog>
  )
}
