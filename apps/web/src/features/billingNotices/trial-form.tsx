import { NoticeTrial } from '@balcao/contract/billingNotices.ts'
import { Button, SimpleGrid, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useSchemaForm } from '../../platform/forms.ts'
import { notify } from '../../platform/notify.tsx'
import { FieldGroup } from '../../ui/fieldset.tsx'
import { tryTemplate } from './billingNotices.api.ts'
import { useTemplateText } from './billingNotices.templates.text.ts'

/** Sends the template, as last saved, to a test recipient. */
export function TrialForm({ templateId }: { templateId: number }) {
  const t = useTemplateText()
  const [busy, setBusy] = useState(false)
  const form = useSchemaForm(NoticeTrial, { initialValues: { email: '', whatsapp: '' } })
  async function send(values: typeof form.values) {
    setBusy(true)
    await tryTemplate(templateId, NoticeTrial.parse(values)).then(
      () => notify.done(t('trialSent')),
      error => form.refused(error) || notify.failed(error),
    )
    setBusy(false)
  }
  return (
    <FieldGroup legend={t('trial')}>
      <Text size="sm">{t('trialHint')}</Text>
      <form onSubmit={form.onSubmit(send)} noValidate>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={12} mb={12}>
          <TextInput type="email" label={t('email')} {...form.getInputProps('email')} />
          <TextInput type="tel" label={t('whatsapp')} {...form.getInputProps('whatsapp')} />
        </SimpleGrid>
        <Button type="submit" variant="default" loading={busy}>
          {t('send')}
        </Button>
      </form>
    </FieldGroup>
  )
}
