import { auth, SignupInput } from '@balcao/contract/auth.ts'
import { Button, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { call } from '../../platform/call.ts'
import { useSchemaForm } from '../../platform/forms.ts'
import { notify } from '../../platform/notify.tsx'
import { useSession } from '../../platform/session.tsx'
import { useNewPassword } from '../../shell/new-password.ts'
import { useGoTo } from '../../ui/go-to.ts'
import { PasswordField } from '../../ui/password-field.tsx'
import { useAuthText } from './auth.text.ts'
import classes from './entry-page.module.css'
import { EntryPage } from './entry-page.tsx'
import { Refusal } from './refusal.tsx'

export default function SignupScreen() {
  const t = useAuthText()
  const goTo = useGoTo()
  const { enter } = useSession()
  const form = useSchemaForm(
    SignupInput.required({ companyName: true }).extend({ password: useNewPassword() }),
    {
      initialValues: { companyName: '', name: '', email: '', password: '' },
    },
  )
  const [refusal, setRefusal] = useState<unknown>(null)
  const create = useMutation({
    mutationFn: (body: typeof form.values) => call(auth.signup, { body }),
    async onSuccess(_, { email, password }) {
      // the redirect to the login is documented; the password just entered need not be entered again
      goTo('/login', { state: { email } })
      const session = await call(auth.login, { body: { email, password } }).catch(() => null)
      if (session) enter(session)
      notify.done(t(session ? 'createdIn' : 'created'))
    },
    onError: error => setRefusal(form.refused(error) ? null : error),
  })
  return (
    <EntryPage title={t('signup')} hint={t('signupHint')}>
      <form onSubmit={form.onSubmit(values => create.mutate(values))} noValidate>
        <Stack gap={16}>
          <TextInput
            label={t('company')}
            autoComplete="organization"
            maxLength={50}
            autoFocus
            {...form.getInputProps('companyName')}
          />
          <TextInput label={t('name')} autoComplete="name" {...form.getInputProps('name')} />
          <TextInput
            label={t('email')}
            type="email"
            autoComplete="username"
            {...form.getInputProps('email')}
          />
          <PasswordField
            label={t('password')}
            autoComplete="new-password"
            {...form.getInputProps('password')}
          />
          <Refusal error={refusal} />
          <Button type="submit" fullWidth mt={8} loading={create.isPending}>
            {t('create')}
          </Button>
        </Stack>
      </form>
      <p className={classes.other}>
        {t('hasAccount')} <Link to="/login">{t('back')}</Link>
      </p>
    </EntryPage>
  )
}
