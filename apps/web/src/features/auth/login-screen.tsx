import { auth, LoginInput } from '@balcao/contract/auth.ts'
import { Button, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link, useLocation } from 'react-router'
import { call } from '../../platform/call.ts'
import { useSchemaForm } from '../../platform/forms.ts'
import { useSession } from '../../platform/session.tsx'
import { useBranding } from '../../shell/branding.ts'
import { PasswordField } from '../../ui/password-field.tsx'
import { useAuthText } from './auth.text.ts'
import classes from './entry-page.module.css'
import { EntryPage } from './entry-page.tsx'
import { Refusal } from './refusal.tsx'

export default function LoginScreen() {
  const t = useAuthText()
  const { enter } = useSession()
  const { userCreation } = useBranding()
  const known = (useLocation().state as { email?: string } | null)?.email ?? ''
  const form = useSchemaForm(LoginInput, { initialValues: { email: known, password: '' } })
  const login = useMutation({
    mutationFn: (body: typeof form.values) => call(auth.login, { body }),
    onSuccess: enter,
  })
  return (
    <EntryPage title={t('enter')} hint={t('enterHint')}>
      <form onSubmit={form.onSubmit(values => login.mutate(values))} noValidate>
        <Stack gap={16}>
          <TextInput
            label={t('email')}
            type="email"
            autoComplete="username"
            autoFocus={!known}
            {...form.getInputProps('email')}
          />
          <PasswordField
            label={t('password')}
            autoComplete="current-password"
            {...form.getInputProps('password')}
          />
          <Refusal error={login.error} />
          <Button type="submit" fullWidth mt={8} loading={login.isPending}>
            {t('access')}
          </Button>
        </Stack>
      </form>
      <p className={classes.other}>
        <Link to="/forgot">{t('forgot')}</Link>
      </p>
      {userCreation === 'enabled' && (
        <p className={classes.other}>
          {t('noAccount')} <Link to="/signup">{t('create')}</Link>
        </p>
      )}
    </EntryPage>
  )
}
