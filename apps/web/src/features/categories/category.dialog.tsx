import { CategoryInput } from '@balcao/contract/categories.ts'
import { Group, Text, TextInput } from '@mantine/core'
import { Pill } from '../../ui/chip.tsx'
import { ColorField } from '../../ui/color-field.tsx'
import { RowDialog, type RowDialogProps } from '../../ui/list-screen/row.dialog.tsx'
import { RowForm } from '../../ui/list-screen/row-form.tsx'
import { useTakenName } from '../../ui/list-screen/taken-name.tsx'
import { mergeCategory, oneCategory, saveCategory } from './categories.api.ts'
import { useCategoryText } from './categories.text.ts'

/** Adds a category, or changes the one of the address. A name that is in use may merge the two. */
export function CategoryDialog({ id, onClose }: RowDialogProps) {
  const t = useCategoryText()
  const name = useTakenName({ id, owner: 'categoryId', merge: mergeCategory, t, onDone: onClose })
  return (
    <RowDialog
      id={id}
      row={oneCategory}
      title={t(id === null ? 'add' : 'edit')}
      leaving={name.isMerging}
      onClose={onClose}
    >
      {category => (
        <>
          <RowForm
            schema={CategoryInput}
            initialValues={{ name: category?.name ?? '', color: category?.color ?? '#1273de' }}
            row={category}
            isNew={category === null}
            save={(values, changed, seen) =>
              name.saving(category?.name, values.name, () => saveCategory(id, values, changed, seen))
            }
            onClose={onClose}
          >
            {form => (
              <>
                <TextInput data-autofocus label={t('name')} maxLength={50} {...form.getInputProps('name')} />
                {name.offer(form.values.name)}
                <ColorField label={t('color')} {...form.getInputProps('color')} />
                <Group gap={8}>
                  <Text size="sm" c="dimmed">
                    {t('preview')}
                  </Text>
                  <Pill
                    label={form.values.name.trim() || t('unnamed')}
                    color={form.values.color}
                    on="bg-raised"
                  />
                </Group>
              </>
            )}
          </RowForm>
          {name.question}
        </>
      )}
    </RowDialog>
  )
}
