import { TermsInput } from '@balcao/contract/terms.ts'
import { Textarea, TextInput } from '@mantine/core'
import { Dialog } from '../../ui/dialog.tsx'
import { RowForm } from '../../ui/list-screen/row-form.tsx'
import { publishTerms } from './terms.api.ts'
import { useTermsText } from './terms.text.ts'

/** Publishes a version of the operator’s terms. */
export function PublishDialog({ onClose }: { onClose(): void }) {
  const t = useTermsText()
  return (
    <Dialog title={t('publish')} onClose={onClose}>
      <RowForm
        schema={TermsInput}
        initialValues={{ version: '', url: '', text: '' }}
        confirm={t('publish')}
        done={t('published')}
        save={publishTerms}
        onClose={onClose}
      >
        {form => (
          <>
            <TextInput
              data-autofocus
              required
              label={t('version')}
              maxLength={40}
              {...form.getInputProps('version')}
            />
            <TextInput type="url" label={t('url')} maxLength={500} {...form.getInputProps('url')} />
            <Textarea
              autosize
              minRows={4}
              maxRows={12}
              label={t('text')}
              maxLength={50_000}
              {...form.getInputProps('text')}
            />
          </>
        )}
      </RowForm>
    </Dialog>
  )
}
