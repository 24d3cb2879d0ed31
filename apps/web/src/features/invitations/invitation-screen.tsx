import { Acceptance } from '@balcao/contract/invitations.ts'
import { Button, Stack, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, Navigate, useLocation } from 'react-router'
import { useSchemaForm } from '../../platform/forms.ts'
import { useSession } from '../../platform/session.tsx'
import { Loading } from '../../shell/loading.tsx'
import { useNewPassword } from '../../shell/new-password.ts'
import { PasswordField } from '../../ui/password-field.tsx'
import classes from '../auth/entry-page.module.css'
import { EntryPage } from '../auth/entry-page.tsx'
import { Refusal } from '../auth/refusal.tsx'
import { acceptInvitation, lookAt } from './invitations.api.ts'
import { useInvitationText } from './invitations.text.ts'

/** Target of the link in an invitation: a name, a password, then logged in. */
export default function InvitationScreen() {
  const t = useInvitationText()
  const token = useLocation().hash.slice(1)
  const { user, leave } = useSession()
  const look = useQuery(lookAt(token))
  if (look.isPending) return <Loading />
  // it was accepted here
  if (user && (look.isError || look.data.email === user.email)) return <Navigate to="/" replace />
  if (look.isError)
    return (
      <EntryPage title={t('overTitle')} hint={t('overHint')}>
        <p className={classes.other}>
          <Link to="/login">{t('toLogin')}</Link>
        </p>
      </EntryPage>
    )
  const { email, invitedBy, companyName } = look.data
  const hint = t('joinHint', { who: invitedBy ?? companyName, company: companyName, email })
  return (
    <EntryPage title={t('join')} hint={hint}>
      {user ? (
        <>
          <p className={classes.hint}>{t('other', { name: user.name })}</p>
          <Button fullWidth onClick={() => void leave()}>
            {t('leave')}
          </Button>
        </>
      ) : (
        <Accept token={token} name={look.data.name} email={email} />
      )}
    </EntryPage>
  )
}

function Accept({ token, name, email }: { token: string; name: string; email: string }) {
  const t = useInvitationText()
  const { enter } = useSession()
  const form = useSchemaForm(Acceptance.extend({ password: useNewPassword() }), {
    initialValues: { token, name, password: '' },
  })
  const accept = useMutation({ mutationFn: acceptInvitation, onSuccess: enter })
  return (
    <form onSubmit={form.onSubmit(values => accept.mutate(values))} noValidate>
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <Stack gap={16}>
        <TextInput label={t('ownName')} autoComplete="name" autoFocus {...form.getInputProps('name')} />
        <PasswordField
          label={t('password')}
          autoComplete="new-password"
          {...form.getInputProps('password')}
        />
        <Refusal error={accept.error} />
        <Button type="submit" fullWidth mt={8} loading={accept.isPending}>
          {t('accept')}
        </Button>
      </Stack>
    </form>
  )
}
