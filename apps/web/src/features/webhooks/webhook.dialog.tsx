import { WebhookEvent, WebhookInput } from '@balcao/contract/webhooks.ts'
import { Checkbox, Stack, Switch, TextInput } from '@mantine/core'
import { RowDialog, type RowDialogProps } from '../../ui/list-screen/row.dialog.tsx'
import { RowForm } from '../../ui/list-screen/row-form.tsx'
import { oneWebhook, saveWebhook } from './webhooks.api.ts'
import { useWebhookText } from './webhooks.text.ts'

/** An address with a login in it is never called. */
const Written = WebhookInput.extend({
  url: WebhookInput.shape.url.refine(url => !hasLogin(url), {
    error: () => useWebhookText.read('urlLogin'),
  }),
})

function hasLogin(address: string) {
  const url = URL.parse(address)
  return Boolean(url?.username || url?.password)
}

/** Adds a webhook, or changes the one of the address. */
export function WebhookDialog({ id, onClose }: RowDialogProps) {
  const t = useWebhookText()
  return (
    <RowDialog id={id} row={oneWebhook} title={t(id === null ? 'add' : 'edit')} onClose={onClose}>
      {webhook => (
        <RowForm
          schema={Written}
          initialValues={{
            name: webhook?.name ?? '',
            url: webhook?.url ?? '',
            events: webhook?.events ?? WebhookEvent.options.filter(one => one !== 'note.written'),
            isActive: webhook?.isActive ?? true,
          }}
          row={webhook}
          isNew={webhook === null}
          save={(values, _changed, seen) => saveWebhook(id, values, seen)}
          onClose={onClose}
        >
          {form => (
            <>
              <TextInput data-autofocus label={t('name')} maxLength={50} {...form.getInputProps('name')} />
              <TextInput
                type="url"
                label={t('url')}
                description={t('urlHint')}
                inputWrapperOrder={['label', 'input', 'description', 'error']}
                placeholder="https://"
                maxLength={2_000}
                {...form.getInputProps('url')}
              />
              <Checkbox.Group
                label={t('events')}
                {...form.getInputProps('events')}
                error={form.errors.events && t('eventsMissing')}
              >
                <Stack gap={8} my={6}>
                  {WebhookEvent.options.map(event => (
                    <Checkbox key={event} value={event} label={t(event)} />
                  ))}
                </Stack>
              </Checkbox.Group>
              <Switch label={t('active')} {...form.getInputProps('isActive', { type: 'checkbox' })} />
            </>
          )}
        </RowForm>
      )}
    </RowDialog>
  )
}
