import { QuickAnswerInput } from '@balcao/contract/quickAnswers.ts'
import { Textarea, TextInput } from '@mantine/core'
import { RowDialog, type RowDialogProps } from '../../ui/list-screen/row.dialog.tsx'
import { RowForm } from '../../ui/list-screen/row-form.tsx'
import { OwnerField } from './owner-field.tsx'
import { oneQuickAnswer, saveQuickAnswer } from './quickAnswers.api.ts'
import { useQuickAnswerText } from './quickAnswers.text.ts'
import { useShortcutError } from './shortcut-error.ts'

/** Adds a quick answer, or changes the one of the address. */
export function QuickAnswerDialog({ id, onClose }: RowDialogProps) {
  const t = useQuickAnswerText()
  const shortcut = useShortcutError()
  return (
    <RowDialog id={id} row={oneQuickAnswer} title={t(id === null ? 'add' : 'edit')} onClose={onClose}>
      {quickAnswer => (
        <RowForm
          schema={QuickAnswerInput}
          initialValues={{
            shortcut: quickAnswer?.shortcut ?? '',
            message: quickAnswer?.message ?? '',
            queueId: quickAnswer?.queueId ?? null,
            userId: quickAnswer?.userId ?? null,
          }}
          row={quickAnswer}
          isNew={quickAnswer === null}
          save={(values, _changed, seen) =>
            shortcut.saving(values.shortcut, () => saveQuickAnswer(id, values, seen))
          }
          onClose={onClose}
        >
          {form => (
            <>
              <TextInput
                data-autofocus
                label={t('shortcut')}
                maxLength={15}
                {...form.getInputProps('shortcut')}
                error={shortcut.error(form.errors.shortcut, form.values.shortcut)}
              />
              <Textarea
                label={t('message')}
                autosize
                minRows={4}
                maxRows={12}
                maxLength={30_000}
                {...form.getInputProps('message')}
              />
              <OwnerField form={form} before={quickAnswer} />
            </>
          )}
        </RowForm>
      )}
    </RowDialog>
  )
}
