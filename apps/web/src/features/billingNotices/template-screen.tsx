import { firstTemplate, noticePlaces } from '@balcao/contract/billingNotices.rules.ts'
import { type NotificationTemplate, NotificationTemplateInput } from '@balcao/contract/billingNotices.ts'
import { Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Navigate, useParams } from 'react-router'
import { errorText } from '../../platform/errors.text.ts'
import { useSchemaForm } from '../../platform/forms.ts'
import { notify } from '../../platform/notify.tsx'
import { UnsavedAsks } from '../../ui/dialog.tsx'
import { useGoTo } from '../../ui/go-to.ts'
import { Late } from '../../ui/late.tsx'
import { Page } from '../../ui/page.tsx'
import { oneTemplate, saveTemplate } from './billingNotices.api.ts'
import classes from './billingNotices.module.css'
import { useTemplateText } from './billingNotices.templates.text.ts'
import { TemplatePreview } from './template-preview.tsx'
import { TrialForm } from './trial-form.tsx'

/** `/notificationTemplateManager/:id?`: the form on one side, the preview on the other. */
export default function TemplateScreen() {
  const t = useTemplateText()
  const { templatesNotificationId } = useParams()
  const id = templatesNotificationId === undefined ? null : Number(templatesNotificationId)
  const { data, error } = useQuery({ ...oneTemplate(id ?? 0), enabled: Number.isInteger(id) })
  if (id !== null && !(Number.isInteger(id) && id > 0))
    return <Navigate to="/notificationTemplateList" replace />
  return (
    <Page title={data?.name ?? t('title')} back={{ path: '/notificationTemplateList', label: t('back') }}>
      {id === null || data ? (
        <TemplateForm key={id ?? 'new'} template={id === null ? null : data!} />
      ) : (
        <Late>
          <p role="status">{error && errorText(error)}</p>
        </Late>
      )}
    </Page>
  )
}

const valuesOf = (template: NotificationTemplate | null) => {
  const { name, type, thumbnailWpHtml, textWp, emailHtml, emailTitle } = template ?? firstTemplate
  return { name, type, thumbnailWpHtml, textWp, emailHtml, emailTitle }
}

function TemplateForm({ template }: { template: NotificationTemplate | null }) {
  const t = useTemplateText()
  const goTo = useGoTo()
  const [busy, setBusy] = useState(false)
  const form = useSchemaForm(NotificationTemplateInput, { initialValues: valuesOf(template) })
  async function save(values: typeof form.values) {
    setBusy(true)
    await saveTemplate(template?.id ?? null, values).then(
      id => {
        notify.done(t('saved'))
        form.resetDirty(values)
        if (!template) goTo(`/notificationTemplateManager/${id}`, { replace: true })
      },
      error => form.refused(error) || notify.failed(error),
    )
    setBusy(false)
  }
  return (
    <div className={classes.editor}>
      <form onSubmit={form.onSubmit(save)} noValidate>
        <Stack gap={12}>
          <TextInput label={t('name')} maxLength={50} {...form.getInputProps('name')} />
          <Group gap={8}>
            <Text size="sm">{t('places')}:</Text>
            {noticePlaces.map(place => (
              <code key={place}>{`{{${place}}}`}</code>
            ))}
          </Group>
          <Textarea label={t('textWp')} autosize minRows={4} maxRows={12} {...form.getInputProps('textWp')} />
          <TextInput label={t('emailTitle')} maxLength={200} {...form.getInputProps('emailTitle')} />
          <Textarea
            label={t('emailHtml')}
            autosize
            minRows={6}
            maxRows={20}
            spellCheck={false}
            classNames={{ input: classes.html! }}
            {...form.getInputProps('emailHtml')}
          />
          <Textarea
            label={t('thumbnailWpHtml')}
            autosize
            minRows={3}
            maxRows={12}
            spellCheck={false}
            classNames={{ input: classes.html! }}
            {...form.getInputProps('thumbnailWpHtml')}
          />
          <Group>
            <Button type="submit" loading={busy}>
              {t('save')}
            </Button>
            <UnsavedAsks isUnsaved={form.isDirty()} />
            <Text size="sm">{t('usedHint')}</Text>
          </Group>
        </Stack>
      </form>
      <div className={classes.shown}>
        <TemplatePreview template={form.values} />
        {template && <TrialForm templateId={template.id} />}
      </div>
    </div>
  )
}
