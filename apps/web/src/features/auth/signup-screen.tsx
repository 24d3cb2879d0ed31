import { auth, SignupInput } from '@balcao/contract/auth.ts'
import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from 'react-router'
import { call } from '../../platform/call.ts'
import { useSchemaForm } from '../../platform/forms.ts'
import { notify } from '../../platform/notify.tsx'
import { useAuthText } from './auth.text.ts'
import classes from './door.module.css'
import { Door } from './door.tsx'

export default function SignupScreen() {
  const t = useAuthText()
  const navigate = useNavigate()
  const form = useSchemaForm(SignupInput, { initialValues: { name: '', email: '', password: '' } })
  const create = useMutation({
    mutationFn: (body: typeof form.values) => call(auth.signup, { body }),
    onSuccess() {
      notify.done(t('created'))
      void navigate('/login')
    },
    onError: error => form.refused(error) || notify.failed(error),
  })
  return (
    <Door title={t('signup')} hint={t('signupHint')}>
      <form onSubmit={form.onSubmit(values => create.mutate(values))} noValidate>
        <Stack gap={16}>
          <TextInput label={t('name')} autoComplete="name" autoFocus {...form.getInputProps('name')} />
          <TextInput
            label={t('email')}
            type="email"
            autoComplete="username"
            {...form.getInputProps('email')}
          />
          <PasswordInput
            label={t('password')}
            autoComplete="new-password"
            visibilityToggleButtonProps={{ 'aria-label': t('show') }}
            {...form.getInputProps('password')}
          />
          <Button type="submit" fullWidth mt={8} loading={create.isPending}>
            {t('create')}
          </Button>
        </Stack>
      </form>
      <p className={classes.other}>
        {t('hasAccount')} <Link to="/login">{t('back')}</Link>
      </p>
    </Door>
  )
}
