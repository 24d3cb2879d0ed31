import { EmailInput, PasswordInput } from '@balcao/contract/accounts.ts'
import { Button, Stack, Switch, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useSchemaForm } from '../../platform/forms.ts'
import { notify } from '../../platform/notify.tsx'
import { useUser } from '../../platform/session.tsx'
import { useNewPassword } from '../../shell/new-password.ts'
import { PasswordField } from '../../ui/password-field.tsx'
import { useUnsaved } from '../../ui/unsaved.ts'
import { changeEmail, changePassword } from './accounts.api.ts'
import { useAccountText } from './accounts.text.ts'
import classes from './own-account.module.css'

/** Login data; a change requires the current password. */
export function OwnAccess() {
  return (
    <>
      <Password />
      <Email />
    </>
  )
}

function Password() {
  const t = useAccountText()
  const form = useSchemaForm(PasswordInput.extend({ password: useNewPassword() }), {
    initialValues: { oldPassword: '', password: '', endSecrets: true },
  })
  useUnsaved(form.isDirty())
  const change = useMutation({
    mutationFn: changePassword,
    onSuccess() {
      form.reset()
      notify.done(t('passwordChanged'))
    },
    onError: error => form.refused(error) || notify.failed(error),
  })
  return (
    <Section title={t('changePassword')} onSubmit={form.onSubmit(values => change.mutate(values))}>
      <PasswordField
        label={t('oldPassword')}
        autoComplete="current-password"
        {...form.getInputProps('oldPassword')}
      />
      <PasswordField
        label={t('newPassword')}
        description={t('passwordHint')}
        autoComplete="new-password"
        {...form.getInputProps('password')}
      />
      <Switch label={t('endSecrets')} {...form.getInputProps('endSecrets', { type: 'checkbox' })} />
      <Button type="submit" variant="default" loading={change.isPending}>
        {t('changePassword')}
      </Button>
    </Section>
  )
}

function Email() {
  const t = useAccountText()
  const user = useUser()
  const form = useSchemaForm(EmailInput, { initialValues: { email: '', oldPassword: '' } })
  useUnsaved(form.isDirty())
  const change = useMutation({
    mutationFn: changeEmail,
    onSuccess({ isChanged }, { email }) {
      form.reset()
      notify.done(isChanged ? t('emailChanged') : t('emailAsked', { email }), { seconds: 8 })
    },
    onError: error => form.refused(error) || notify.failed(error),
  })
  return (
    <Section title={t('changeEmail')} onSubmit={form.onSubmit(values => change.mutate(values))}>
      <TextInput
        label={t('newEmail')}
        description={t('currentEmail', { email: user.email })}
        type="email"
        autoComplete="off"
        {...form.getInputProps('email')}
      />
      <PasswordField
        label={t('oldPassword')}
        autoComplete="current-password"
        {...form.getInputProps('oldPassword')}
      />
      <Button type="submit" variant="default" loading={change.isPending}>
        {t('changeEmail')}
      </Button>
    </Section>
  )
}

function Section({
  title,
  onSubmit,
  children,
}: {
  title: string
  onSubmit: React.FormEventHandler<HTMLFormElement>
  children: ReactNode
}) {
  return (
    <form className={classes.section} onSubmit={onSubmit} noValidate aria-label={title}>
      <h2 className={classes.title}>{title}</h2>
      <Stack gap={12} align="stretch">
        {children}
      </Stack>
    </form>
  )
}
