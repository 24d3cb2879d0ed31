import { INTEGRATION_TYPES, IntegrationInput, OPENAI_URL } from '@balcao/contract/integrations.ts'
import { Select, Textarea, TextInput } from '@mantine/core'
import { RowDialog, type RowDialogProps } from '../../ui/list-screen/row.dialog.tsx'
import { RowForm } from '../../ui/list-screen/row-form.tsx'
import { oneIntegration, saveIntegration } from './integrations.api.ts'
import { useIntegrationText } from './integrations.text.ts'

/** Adds an integration, or changes the one of the address. */
export function IntegrationDialog({ id, onClose }: RowDialogProps) {
  const t = useIntegrationText()
  const types = Object.entries(INTEGRATION_TYPES).map(([value, label]) => ({ value, label }))
  return (
    <RowDialog id={id} row={oneIntegration} title={t(id === null ? 'add' : 'edit')} onClose={onClose}>
      {integration => (
        <RowForm
          schema={IntegrationInput}
          initialValues={{
            name: integration?.name ?? '',
            apiUrl: integration?.apiUrl ?? '',
            apiToken: integration?.apiToken ?? '',
            integrationType: 'openai' as const,
            message: integration?.message ?? '',
            dataJson: integration?.dataJson ?? '',
          }}
          row={integration}
          isNew={integration === null}
          save={(values, _changed, seen) => saveIntegration(id, values, seen)}
          onClose={onClose}
        >
          {form => (
            <>
              <TextInput
                data-autofocus
                required
                label={t('name')}
                maxLength={50}
                {...form.getInputProps('name')}
              />
              <Select
                label={t('type')}
                allowDeselect={false}
                data={types}
                {...form.getInputProps('integrationType')}
              />
              <TextInput
                label={t('apiUrl')}
                description={t('apiUrlHint', { url: OPENAI_URL })}
                inputMode="url"
                maxLength={300}
                {...form.getInputProps('apiUrl')}
              />
              <TextInput
                required
                label={t('apiToken')}
                description={t('apiTokenHint')}
                autoComplete="off"
                spellCheck={false}
                maxLength={500}
                {...form.getInputProps('apiToken')}
              />
              <Textarea
                label={t('message')}
                autosize
                minRows={2}
                maxRows={6}
                {...form.getInputProps('message')}
              />
              <Textarea
                label={t('dataJson')}
                autosize
                minRows={2}
                maxRows={6}
                {...form.getInputProps('dataJson')}
              />
            </>
          )}
        </RowForm>
      )}
    </RowDialog>
  )
}
