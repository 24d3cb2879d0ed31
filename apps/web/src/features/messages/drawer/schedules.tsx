import { mayChangeSchedule } from '@balcao/contract/schedules.rules.ts'
import { PREVIEW_WORDS, type Schedule } from '@balcao/contract/schedules.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { useViewer } from '../../../platform/session.tsx'
import { clock } from '../../../platform/time.ts'
import { soon } from '../../../ui/soon.tsx'
import { onOneLine } from '../../schedules/on-one-line.ts'
import { pendingOptions } from '../../schedules/schedules.api.ts'
import classes from './drawer.module.css'
import { useDrawerText } from './drawer.text.ts'
import { Failed } from './earlier-tickets.tsx'

const ScheduleDialog = soon(() => import('../../schedules/schedule.dialog.tsx'))

/** Pending schedules of the contact, by time. */
export function Schedules({ ticket: { contactId } }: { ticket: Ticket }) {
  const t = useDrawerText()
  const viewer = useViewer()
  const [opened, setOpened] = useState<number | null>(null)
  const { data, isError, refetch } = useQuery(pendingOptions(contactId))
  if (data?.schedules.length === 0) return null
  return (
    <section className={classes.section}>
      <h3>{t('schedules')}</h3>
      {isError && <Failed again={() => void refetch()} />}
      <ul className={classes.rows}>
        {data?.schedules.map(one => (
          <li key={one.id}>
            {mayChangeSchedule(viewer, one) ? (
              <button type="button" className={classes.row} onClick={() => setOpened(one.id)}>
                <Planned schedule={one} />
              </button>
            ) : (
              <span className={classes.row}>
                <Planned schedule={one} />
              </span>
            )}
          </li>
        ))}
      </ul>
      {data?.hasMore && (
        <Button
          className={classes.more ?? ''}
          variant="subtle"
          size="xs"
          component={Link}
          to={`/schedules?contactId=${contactId}`}
        >
          {t('more')}
        </Button>
      )}
      {opened !== null && <ScheduleDialog id={opened} onClose={() => setOpened(null)} />}
    </section>
  )
}

function Planned({ schedule: { sendAt, body, mediaName, last } }: { schedule: Schedule }) {
  const t = useDrawerText()
  const words = mediaName
    ? onOneLine(body || mediaName, PREVIEW_WORDS.media)
    : onOneLine(body, PREVIEW_WORDS.text)
  return (
    <>
      <time dateTime={sendAt}>{clock(sendAt).format('l LT')}</time>
      <span className="one-line" title={words}>
        {last?.state === 'failed' && <strong>{t('notSent')} </strong>}
        {words}
      </span>
    </>
  )
}
