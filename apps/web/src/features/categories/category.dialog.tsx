import { CategoryInput } from '@balcao/contract/categories.ts'
import { Button, Group, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ApiError } from '../../platform/call.ts'
import { notify } from '../../platform/notify.tsx'
import { Pill } from '../../ui/chip.tsx'
import { ColorField } from '../../ui/color-field.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { RowDialog, type RowDialogProps } from '../../ui/list-screen/row.dialog.tsx'
import { RowForm } from '../../ui/list-screen/row-form.tsx'
import { mergeCategory, oneCategory, saveCategory } from './categories.api.ts'
import { useCategoryText } from './categories.text.ts'

interface Taken {
  from: string
  into: string
  categoryId: number
}

/** Adds a category, or changes the one of the address. A name that is another's may make one of the two. */
export function CategoryDialog({ id, onClose }: RowDialogProps) {
  const t = useCategoryText()
  const [taken, setTaken] = useState<Taken | null>(null)
  const [merging, setMerging] = useState(false)
  return (
    <RowDialog id={id} row={oneCategory} title={t(id === null ? 'add' : 'edit')} onClose={onClose}>
      {category => (
        <>
          <RowForm
            schema={CategoryInput}
            initialValues={{ name: category?.name ?? '', color: category?.color ?? '#1273de' }}
            isNew={category === null}
            save={values => {
              setTaken(null)
              return saveCategory(id, values).catch(error => {
                const categoryId = ownerOfName(error)
                if (category && categoryId) setTaken({ from: category.name, into: values.name, categoryId })
                throw error
              })
            }}
            onClose={onClose}
          >
            {form => (
              <>
                <TextInput data-autofocus label={t('name')} maxLength={50} {...form.getInputProps('name')} />
                {taken && taken.into === form.values.name && (
                  // pressing the button does not leave the field, whose error would go and move the button away
                  <Group gap={8} role="status" onMouseDown={event => event.preventDefault()}>
                    <Text size="sm">{t('taken')}</Text>
                    <Button variant="default" size="xs" onClick={() => setMerging(true)}>
                      {t('merge')}
                    </Button>
                  </Group>
                )}
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
          {id !== null && taken && merging && (
            <MergeDialog id={id} {...taken} onDone={onClose} onClose={() => setMerging(false)} />
          )}
        </>
      )}
    </RowDialog>
  )
}

/** Asks before two categories become one. */
function MergeDialog({
  id,
  from,
  into,
  categoryId,
  onDone,
  onClose,
}: Taken & { id: number; onDone(): void; onClose(): void }) {
  const t = useCategoryText()
  const [busy, setBusy] = useState(false)
  const merge = () => {
    setBusy(true)
    return mergeCategory(id, categoryId).then(
      () => {
        notify.done(t('merged'))
        onDone()
      },
      error => {
        notify.failed(error)
        onClose()
      },
    )
  }
  return (
    <Confirm
      title={t('mergeTitle', { from, into })}
      confirm={t('mergeDo')}
      danger
      busy={busy}
      onConfirm={() => void merge()}
      onClose={onClose}
    >
      {t('mergeHint', { from, into })}
    </Confirm>
  )
}

const ownerOfName = (error: unknown) =>
  error instanceof ApiError && error.code === 'ERR_NAME_EXISTS' ? Number(error.details?.categoryId) : 0
