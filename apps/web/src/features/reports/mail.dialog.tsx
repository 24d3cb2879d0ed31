import type { ReportMailState } from '@balcao/contract/reports.ts'
import { Button, Text } from '@mantine/core'
import { IconMail } from '@tabler/icons-react'
import { useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { queryClient } from '../../platform/query.ts'
import { clock } from '../../platform/time.ts'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { ReportAction } from './report-action.tsx'
import { useChosenNames } from './report-asked.tsx'
import { ownMail, receiveMail, stopMail, type Wanted } from './reports.api.ts'
import { useReportText } from './reports.text.ts'

/** Opens the weekly report by e-mail, with the queues and users of the report that is shown. */
export function MailButton({ wanted }: { wanted: Wanted }) {
  const t = useReportText()
  const [state, setState] = useState<ReportMailState | null>(null)
  const [busy, setBusy] = useState(false)
  async function open() {
    setBusy(true)
    try {
      setState(await queryClient.fetchQuery(ownMail))
    } catch (error) {
      notify.failed(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <ReportAction
        label={t('weekly')}
        icon={<IconMail size={16} aria-hidden />}
        busy={busy}
        onClick={() => void open()}
      />
      {state && <MailDialog state={state} wanted={wanted} onClose={() => setState(null)} />}
    </>
  )
}

function MailDialog({
  state: { isSetUp, email, mail },
  wanted,
  onClose,
}: {
  state: ReportMailState
  wanted: Wanted
  onClose(): void
}) {
  const t = useReportText()
  const [busy, setBusy] = useState(false)
  const chosen = useChosenNames(wanted)
  const received = useChosenNames({
    queueIds: mail?.selectedQueueIds ?? [],
    userIds: mail?.selectedUserIds ?? [],
  })
  async function settle(work: () => Promise<void>, done: string) {
    setBusy(true)
    try {
      await work()
      notify.done(done)
      onClose()
    } catch (error) {
      notify.failed(error)
      setBusy(false)
    }
  }
  return (
    <Dialog title={t('weekly')} onClose={onClose}>
      <Text size="sm" mb={12}>
        {isSetUp ? t('weeklyHint', { email }) : t('noMail')}
      </Text>
      {mail && (
        <Text size="sm" mb={12}>
          {t('weeklyNow', { filters: received, at: clock(mail.dueAt).format('L LT') })}
        </Text>
      )}
      {isSetUp && (
        <Text size="sm" mb={12}>
          {t('weeklyChosen', { filters: chosen })}
        </Text>
      )}
      <DialogActions onClose={onClose}>
        {mail && (
          <Button variant="default" disabled={busy} onClick={() => void settle(stopMail, t('weeklyStopped'))}>
            {t('weeklyStop')}
          </Button>
        )}
        {isSetUp && (
          <Button loading={busy} onClick={() => void settle(() => receiveMail(wanted), t('weeklySaved'))}>
            {t('weeklyReceive')}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}
