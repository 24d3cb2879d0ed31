import { Button, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import classes from '../auth/entry-page.module.css'
import { EntryPage } from '../auth/entry-page.tsx'
import { Refusal } from '../auth/refusal.tsx'
import { endMail } from './reports.api.ts'
import { useReportText } from './reports.text.ts'

/** Target of the link that ends a weekly report. A button, since mail scanners follow links. */
export default function EndMailScreen() {
  const t = useReportText()
  const token = useLocation().hash.slice(1)
  const end = useMutation({ mutationFn: () => endMail(token) })
  return (
    <EntryPage title={t('endTitle')} hint={t('endHint')}>
      <p role="status" className={classes.hint} hidden={!end.isSuccess}>
        {end.isSuccess && t('weeklyStopped')}
      </p>
      {!end.isSuccess && (
        <Stack gap={16}>
          <Refusal error={end.error} />
          <Button fullWidth autoFocus loading={end.isPending} onClick={() => end.mutate()}>
            {t('weeklyStop')}
          </Button>
        </Stack>
      )}
    </EntryPage>
  )
}
