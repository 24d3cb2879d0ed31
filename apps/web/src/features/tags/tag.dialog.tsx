import { TagInput } from '@balcao/contract/tags.ts'
import { Switch, TextInput } from '@mantine/core'
import { ColorField } from '../../ui/color-field.tsx'
import { RowDialog, type RowDialogProps } from '../../ui/list-screen/row.dialog.tsx'
import { RowForm } from '../../ui/list-screen/row-form.tsx'
import { useTakenName } from '../../ui/list-screen/taken-name.tsx'
import { swatches } from '../../ui/swatches.ts'
import { mergeTag, oneTag, saveTag } from './tags.api.ts'
import { useTagText } from './tags.text.ts'

/** Adds a tag, or changes the one of the address. A name that is in use may merge the two. */
export function TagDialog({ id, onClose }: RowDialogProps) {
  const t = useTagText()
  const name = useTakenName({ id, owner: 'tagId', merge: mergeTag, t, onDone: onClose })
  return (
    <RowDialog
      id={id}
      row={oneTag}
      title={t(id === null ? 'add' : 'edit')}
      leaving={name.isMerging}
      onClose={onClose}
    >
      {tag => (
        <>
          <RowForm
            schema={TagInput}
            initialValues={{
              name: tag?.name ?? '',
              color: tag?.color ?? swatches.blue,
              kanban: tag?.kanban ?? 0,
            }}
            row={tag}
            isNew={tag === null}
            save={(values, changed, seen) =>
              name.saving(tag?.name, values.name, () => saveTag(id, values, changed, seen))
            }
            onClose={onClose}
            done={t('saved')}
          >
            {form => (
              <>
                <TextInput data-autofocus label={t('name')} maxLength={50} {...form.getInputProps('name')} />
                {name.offer(form.values.name)}
                <ColorField label={t('color')} {...form.getInputProps('color')} />
                <Switch
                  label={t('kanban')}
                  description={t('kanbanHint')}
                  checked={form.values.kanban === 1}
                  onChange={event => form.setFieldValue('kanban', event.currentTarget.checked ? 1 : 0)}
                />
              </>
            )}
          </RowForm>
          {name.question}
        </>
      )}
    </RowDialog>
  )
}
