import { ResetInput } from '@balcao/contract/accounts.ts'
import { Button, Stack, Switch } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link, useLocation } from 'react-router'
import { useSchemaForm } from '../../platform/forms.ts'
import { notify } from '../../platform/notify.tsx'
import { useNewPassword } from '../../shell/new-password.ts'
import { useGoTo } from '../../ui/go-to.ts'
import { PasswordField } from '../../ui/password-field.tsx'
import classes from '../auth/entry-page.module.css'
import { EntryPage } from '../auth/entry-page.tsx'
import { Refusal } from '../auth/refusal.tsx'
import { resetPassword } from './accounts.api.ts'
import { useAccountText } from './accounts.text.ts'

/** Target of the link in a reset letter: a new password. */
export default function ResetScreen() {
  const t = useAccountText()
  const goTo = useGoTo()
  const token = useLocation().hash.slice(1)
  const form = useSchemaForm(ResetInput.extend({ password: useNewPassword() }), {
    initialValues: { token, password: '', endSecrets: true },
  })
  const reset = useMutation({
    mutationFn: resetPassword,
    onSuccess() {
      notify.done(t('isReset'))
      goTo('/login', { replace: true })
    },
  })
  return (
    <EntryPage title={t('reset')} hint={t('resetHint')}>
      <form onSubmit={form.onSubmit(values => reset.mutate(values))} noValidate>
        <Stack gap={16}>
          <PasswordField
            label={t('newPassword')}
            autoComplete="new-password"
            autoFocus
            {...form.getInputProps('password')}
          />
          <Switch label={t('endSecrets')} {...form.getInputProps('endSecrets', { type: 'checkbox' })} />
          <Refusal error={reset.error} />
          <Button type="submit" fullWidth mt={8} loading={reset.isPending}>
            {t('save')}
          </Button>
        </Stack>
      </form>
      <p className={classes.other}>
        <Link to="/forgot">{t('askAgain')}</Link>
      </p>
    </EntryPage>
  )
}
