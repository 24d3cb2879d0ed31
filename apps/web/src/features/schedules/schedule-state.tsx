import { mayChangeSchedule } from '@balcao/contract/schedules.rules.ts'
import type { Schedule } from '@balcao/contract/schedules.ts'
import { Button } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconClock } from '@tabler/icons-react'
import { useState } from 'react'
import { reasonText } from '../../platform/errors.text.ts'
import { notify } from '../../platform/notify.tsx'
import { useViewer } from '../../platform/session.tsx'
import { Status } from '../../ui/status.tsx'
import { resendSchedule } from './schedules.api.ts'
import classes from './schedules.module.css'
import { useScheduleText } from './schedules.text.ts'

/** Delay after which an overdue schedule counts as waiting for its connection. */
const WAITS_MS = 30_000

/** State: the term of the documents, and a sentence where there is more detail. */
export function ScheduleState({ schedule }: { schedule: Schedule }) {
  const t = useScheduleText()
  const { status, last, planned, sendAt } = schedule
  const isSent = status === 'ENVIADA'
  const hasFailed = last?.state === 'failed'
  const waits = planned && Date.parse(sendAt) < Date.now() - WAITS_MS
  return (
    <div className={classes.state}>
      <Status
        tone={hasFailed ? 'error' : isSent ? 'success' : 'neutral'}
        icon={
          hasFailed ? (
            <IconAlertTriangle size={13} aria-hidden />
          ) : isSent ? (
            <IconCheck size={13} aria-hidden />
          ) : (
            <IconClock size={13} aria-hidden />
          )
        }
      >
        {t(status)}
        {isSent && last?.late && ` · ${t('late')}`}
      </Status>
      {hasFailed && <Failure schedule={schedule} reason={last.reason} />}
      {last?.state === 'waiting' && <span className={classes.note}>{t('leaving')}</span>}
      {waits && <span className={classes.note}>{t('waitsForConnection')}</span>}
    </div>
  )
}

function Failure({ schedule, reason }: { schedule: Schedule; reason: string }) {
  const t = useScheduleText()
  const viewer = useViewer()
  const [busy, setBusy] = useState(false)
  async function again() {
    setBusy(true)
    await resendSchedule(schedule.id).then(() => notify.done(t('resent')), notify.failed)
    setBusy(false)
  }
  return (
    <>
      <span className={classes.note} data-failed>
        {t('failed', { reason: reason ? reasonText(reason) : t('takenBack') })}
      </span>
      {mayChangeSchedule(viewer, schedule) && (
        <Button variant="subtle" size="compact-xs" loading={busy} onClick={() => void again()}>
          {t('resend')}
        </Button>
      )}
    </>
  )
}
