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
  const filters = useChosenNames(wanted)
  const shown = (moment: string) => clock(moment).format('L LT')
  return (
    <p className={classes.legendText}>
      <strong>
        {shown(from)} – {shown(until)}
      </strong>
      {` · ${filters}`}
      {before && (
        <>
          <br />
          {t('comparedWith', { from: shown(before), until: shown(from) })}
        </>
      )}
    </p>
  )
}

/** The queues and users of a report by name. */
export function useChosenNames({ queueIds, userIds }: Pick<Wanted, 'queueIds' | 'userIds'>): string {
  const t = useReportText()
  const queues = useQuery({ ...queueChoices, enabled: queueIds.length > 0 })
  const users = useQuery({ ...userChoices, enabled: userIds.length > 0 })
  return `${namesIn(queues.data, queueIds) ?? t('allQueues')} · ${namesIn(users.data, userIds) ?? t('allUsers')}`
}

/** Null for all of them. */
const namesIn = (rows: { id: number; name: string }[] = [], ids: number[]) =>
  ids.length === 0
    ? null
    : rows
        .filter(({ id }) => ids.includes(id))
        .map(({ name }) => name)
        .join(', ')
