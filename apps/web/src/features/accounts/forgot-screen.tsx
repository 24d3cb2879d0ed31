import { ForgotInput } from '@balcao/contract/accounts.ts'
import { Button, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useSchemaForm } from '../../platform/forms.ts'
import { useBranding } from '../../shell/branding.ts'
import classes from '../auth/entry-page.module.css'
import { EntryPage } from '../auth/entry-page.tsx'
import { Refusal } from '../auth/refusal.tsx'
import { askForReset } from './accounts.api.ts'
import { useAccountText } from './accounts.text.ts'

/** Requests a link to a new password. The answer does not reveal whether the address is known. */
export default function ForgotScreen() {
  const t = useAccountText()
  const { mail } = useBranding()
  const form = useSchemaForm(ForgotInput, { initialValues: { email: '' } })
  const ask = useMutation({ mutationFn: askForReset })
  return (
    <EntryPage title={t('forgot')} hint={t(mail ? 'forgotHint' : 'noMail')}>
      <p role="status" className={classes.hint} hidden={!ask.isSuccess}>
        {ask.isSuccess && t('asked')}
      </p>
      {mail && !ask.isSuccess && (
        <form onSubmit={form.onSubmit(values => ask.mutate(values))} noValidate>
          <Stack gap={16}>
            <TextInput
              label={t('email')}
              type="email"
              autoComplete="username"
              autoFocus
              {...form.getInputProps('email')}
            />
            <Refusal error={ask.error} />
            <Button type="submit" fullWidth mt={8} loading={ask.isPending}>
              {t('sendLink')}
            </Button>
          </Stack>
        </form>
      )}
      <p className={classes.other}>
        <Link to="/login">{t('toLogin')}</Link>
      </p>
    </EntryPage>
  )
}
