import type { ScheduledActionJob, ScheduledActionName } from '@balcao/contract/scheduledActions.ts'
import { Button, Group } from '@mantine/core'
import { IconAlertTriangle, IconBraces, IconCheck, IconClock, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { whole } from '../../platform/numbers.ts'
import { clock } from '../../platform/time.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Status } from '../../ui/status.tsx'
import { useRemoval } from './removal.ts'
import classes from './scheduled-actions.module.css'
import { removeAction } from './scheduledActions.api.ts'
import { useScheduledActionText } from './scheduledActions.text.ts'

/** Failed with a reason, finished with a time, else waiting (SACT-009). */
const stateOf = ({ failedReason, finishedOn }: ScheduledActionJob) =>
  failedReason !== null ? 'failed' : finishedOn !== null ? 'finished' : 'waiting'

const looks = {
  failed: { tone: 'error', Icon: IconAlertTriangle },
  finished: { tone: 'success', Icon: IconCheck },
  waiting: { tone: 'warning', Icon: IconClock },
} as const

/** One job: its action, its progress and its parameters. */
export function ActionCard({ job }: { job: ScheduledActionJob }) {
  const t = useScheduledActionText()
  const [isOpen, setOpen] = useState(false)
  const { run, busy } = useRemoval()
  const state = stateOf(job)
  const { tone, Icon } = looks[state]
  const name = t(job.name as ScheduledActionName)
  return (
    <li className={classes.card} data-tone={tone} data-job={job.id}>
      <header className={classes.head}>
        <span className={classes.names}>
          <strong>{name}</strong>
          <code title={job.name}>{job.id}</code>
        </span>
        <Status tone={tone} icon={<Icon size={13} aria-hidden />}>
          {t(state)}
        </Status>
        <IconButton label={t('showData', { name })} onClick={() => setOpen(true)}>
          <IconBraces size={18} stroke={1.75} />
        </IconButton>
        <IconButton
          label={t('removeNamed', { name })}
          disabled={busy}
          onClick={() => void run(() => removeAction(job.id), t('removed'), t('removedNot'))}
        >
          <IconTrash size={18} stroke={1.75} />
        </IconButton>
      </header>
      <Facts job={job} />
      {isOpen && (
        <Dialog title={t('dataOf', { name })} onClose={() => setOpen(false)}>
          <pre className={classes.json}>{JSON.stringify(job.data, null, 2)}</pre>
          {job.failedReason !== null && (
            <>
              <strong>{t('reason')}</strong>
              <pre className={classes.json}>{job.failedReason}</pre>
            </>
          )}
          <Group justify="flex-end">
            <Button onClick={() => setOpen(false)}>{t('close')}</Button>
          </Group>
        </Dialog>
      )}
    </li>
  )
}

function Facts({ job: { opts, ...job } }: { job: ScheduledActionJob }) {
  const t = useScheduledActionText()
  const at = (ms: number | null) => (ms === null ? t('never') : clock(ms).format('L LTS'))
  const facts = [
    [t('attempts'), t('attemptsOf', { made: job.attemptsMade, allowed: opts.attempts })],
    [t('created'), at(job.timestamp)],
    [t('expected'), at(job.timestamp + opts.delay)],
    [t('processed'), at(job.processedOn)],
    [t('ended'), at(job.finishedOn)],
    [t('delayShort'), `${whole(opts.delay)} ms`],
    [t('backoff'), t('exponential', { ms: whole(opts.backoff.delay) })],
  ]
  return (
    <dl className={classes.facts}>
      {facts.map(([what, value]) => (
        <div key={what}>
          <dt>{what}</dt>
          <dd>{value}</dd>
        </div>
      ))}
      {job.failedReason !== null && (
        <div className={classes.reason}>
          <dt>{t('reason')}</dt>
          <dd title={job.failedReason}>{job.failedReason}</dd>
        </div>
      )}
    </dl>
  )
}
