import { useQuery } from '@tanstack/react-query'
import { clock } from '../../platform/time.ts'
import { queueChoices } from '../queues/queues.choices.ts'
import { userChoices } from '../users/users.api.ts'
import type { Wanted } from './reports.api.ts'
import classes from './reports.module.css'
import { useReportText } from './reports.text.ts'

interface Props {
  wanted: Wanted
  /** Moments. */
  from: string
  until: string
  /** Start of the range that this one is compared with. */
  before?: string
}

/** Period, queues and users of a report: it is read, and printed, by others than its requester. */
export function ReportAskedFor({ wanted, from, until, before }: Props) {
  const t = useReportText()
  const queues = useQuery({ ...queueChoices, enabled: wanted.queueIds.length > 0 })
  const users = useQuery({ ...userChoices, enabled: wanted.userIds.length > 0 })
  const shown = (moment: string) => clock(moment).format('L LT')
  return (
    <p className={classes.legendText}>
      <strong>
        {shown(from)} – {shown(until)}
      </strong>
      {` · ${namesIn(queues.data, wanted.queueIds) ?? t('allQueues')}`}
      {` · ${namesIn(users.data, wanted.userIds) ?? t('allUsers')}`}
      {before && (
        <>
          <br />
          {t('comparedWith', { from: shown(before), until: shown(from) })}
        </>
      )}
    </p>
  )
}

/** Null for all of them. */
const namesIn = (rows: { id: number; name: string }[] = [], ids: number[]) =>
  ids.length === 0
    ? null
    : rows
        .filter(({ id }) => ids.includes(id))
        .map(({ name }) => name)
        .join(', ')
