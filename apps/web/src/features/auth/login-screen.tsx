import { auth, LoginInput } from '@balcao/contract/auth.ts'
import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from 'react-router'
import { call } from '../../platform/call.ts'
import { useSchemaForm } from '../../platform/forms.ts'
import { notify } from '../../platform/notify.tsx'
import { useSession } from '../../platform/session.tsx'
import { useBranding } from '../../shell/branding.ts'
import { useAuthText } from './auth.text.ts'
import classes from './door.module.css'
import { Door } from './door.tsx'

export default function LoginScreen() {
  const t = useAuthText()
  const { enter } = useSession()
  const { userCreation } = useBranding()
  const form = useSchemaForm(LoginInput, { initialValues: { email: '', password: '' } })
  const login = useMutation({
    mutationFn: (body: typeof form.values) => call(auth.login, { body }),
    onSuccess: enter,
    onError: notify.failed,
  })
  return (
    <Door title={t('enter')} hint={t('enterHint')}>
      <form onSubmit={form.onSubmit(values => login.mutate(values))} noValidate>
        <Stack gap={16}>
          <TextInput
            label={t('email')}
            type="email"
            autoComplete="username"
            autoFocus
            {...form.getInputProps('email')}
          />
          <PasswordInput
            label={t('password')}
            autoComplete="current-password"
            visibilityToggleButtonProps={{ 'aria-label': t('show') }}
            {...form.getInputProps('password')}
          />
          <Button type="submit" fullWidth mt={8} loading={login.isPending}>
            {t('access')}
          </Button>
        </Stack>
      </form>
      {userCreation === 'enabled' && (
        <p className={classes.other}>
          {t('noAccount')} <Link to="/signup">{t('create')}</Link>
        </p>
      )}
    </Door>
  )
}
