import { IconBolt } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { notify } from '../../platform/notify.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Page } from '../../ui/page.tsx'
import { ActionCard } from './action-card.tsx'
import { ActionForm } from './action-form.tsx'
import { RemoveAll } from './remove-all.tsx'
import classes from './scheduled-actions.module.css'
import { actionList } from './scheduledActions.api.ts'
import { useScheduledActionText } from './scheduledActions.text.ts'

/** `/scheduleAction`: work that is done in the background, as the queue of jobs has it. */
export default function ScheduledActionsScreen() {
  const t = useScheduledActionText()
  const { data, isError } = useQuery(actionList)
  useEffect(() => {
    if (isError) notify.warn(t('loadedNot'), { id: 'scheduled actions' })
  }, [isError, t])
  return (
    <Page
      title={t('title')}
      back={{ path: '/schedules', label: t('toSchedules') }}
      actions={data && data.length > 0 && <RemoveAll />}
    >
      <div className={classes.screen}>
        <ActionForm />
        <section aria-label={t('jobs')} className={classes.jobs}>
          {data?.length === 0 && (
            <Empty icon={<IconBolt size={26} />} title={t('none')}>
              {t('noneHint')}
            </Empty>
          )}
          {data && data.length > 0 && (
            <ul className={classes.cards}>
              {data.map(job => (
                <ActionCard key={job.id} job={job} />
              ))}
            </ul>
          )}
        </section>
      </div>
    </Page>
  )
}
