import { PauseReasonInput } from '@balcao/contract/pauseReasons.ts'
import { TextInput } from '@mantine/core'
import { RowDialog, type RowDialogProps } from '../../ui/list-screen/row.dialog.tsx'
import { RowForm } from '../../ui/list-screen/row-form.tsx'
import { onePauseReason, savePauseReason } from './pauseReasons.api.ts'
import { usePauseReasonText } from './pauseReasons.text.ts'

/** Adds a pause reason, or changes the one of the address. */
export function PauseReasonDialog({ id, onClose }: RowDialogProps) {
  const t = usePauseReasonText()
  return (
    <RowDialog id={id} row={onePauseReason} title={t(id === null ? 'add' : 'edit')} onClose={onClose}>
      {pauseReason => (
        <RowForm
          schema={PauseReasonInput}
          initialValues={{ name: pauseReason?.name ?? '' }}
          row={pauseReason}
          isNew={pauseReason === null}
          save={(values, _changed, seen) => savePauseReason(id, values, seen)}
          onClose={onClose}
        >
          {form => (
            <TextInput data-autofocus label={t('name')} maxLength={50} {...form.getInputProps('name')} />
          )}
        </RowForm>
      )}
    </RowDialog>
  )
}
