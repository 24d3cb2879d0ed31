import { Button, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link, useLocation } from 'react-router'
import classes from '../auth/entry-page.module.css'
import { EntryPage } from '../auth/entry-page.tsx'
import { Refusal } from '../auth/refusal.tsx'
import { confirmEmail } from './accounts.api.ts'
import { useAccountText } from './accounts.text.ts'

/** Target of the link to a new address. A button, since mail scanners follow links. */
export default function EmailScreen() {
  const t = useAccountText()
  const token = useLocation().hash.slice(1)
  const confirm = useMutation({ mutationFn: () => confirmEmail(token) })
  return (
    <EntryPage title={t('confirmTitle')} hint={t('confirmHint')}>
      <p role="status" className={classes.hint} hidden={!confirm.data}>
        {confirm.data && t('confirmed', confirm.data)}
      </p>
      {confirm.data ? (
        <p className={classes.other}>
          <Link to="/">{t('goOn')}</Link>
        </p>
      ) : (
        <Stack gap={16}>
          <Refusal error={confirm.error} />
          <Button fullWidth autoFocus loading={confirm.isPending} onClick={() => confirm.mutate()}>
            {t('confirm')}
          </Button>
        </Stack>
      )}
    </EntryPage>
  )
}
