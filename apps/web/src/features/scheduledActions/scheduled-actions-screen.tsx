import { Button } from '@mantine/core'
import { IconAlertCircle, IconBolt } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { notify } from '../../platform/notify.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Late } from '../../ui/late.tsx'
import { useListText } from '../../ui/list-screen/list-screen.text.ts'
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
  const { data, dataUpdatedAt, errorUpdatedAt, refetch } = useQuery(actionList)
  // until the next success, whatever is retried meanwhile
  const failed = errorUpdatedAt > dataUpdatedAt
  useEffect(() => {
    if (failed) notify.warn(t('loadedNot'), { id: 'scheduled actions' })
  }, [failed, t])
  return (
    <Page
      title={t('title')}
      back={{ path: '/schedules', label: t('toSchedules') }}
      actions={data && data.length > 0 && <RemoveAll />}
    >
      <div className={classes.screen}>
        <ActionForm />
        <section aria-label={t('jobs')} className={classes.jobs}>
          {!data && <NoList failed={failed} again={() => void refetch()} />}
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

/** Before the list was had for the first time. */
function NoList({ failed, again }: { failed: boolean; again(): void }) {
  const t = useListText()
  if (failed)
    return (
      <Empty
        icon={<IconAlertCircle size={26} />}
        title={t('failed')}
        action={
          <Button variant="default" onClick={again}>
            {t('again')}
          </Button>
        }
      />
    )
  return (
    <Late>
      <p role="status">{t('loading')}</p>
    </Late>
  )
}
