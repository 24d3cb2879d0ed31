import type { JobQueue } from '@balcao/contract/systemControl.ts'
import { IconRefresh, IconStack2 } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { notify } from '../../platform/notify.tsx'
import { whole } from '../../platform/numbers.ts'
import { clock } from '../../platform/time.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { ListTable } from '../../ui/list-screen/list-table.tsx'
import { wholeList } from '../../ui/list-screen/use-list.ts'
import type { Column } from '../../ui/table.tsx'
import { jobQueues, retryFailed } from './systemControl.api.ts'
import { useSystemText } from './systemControl.text.ts'

/** Waiting and failed jobs of each kind of background work; failed ones are retried manually. */
export function QueueTable() {
  const t = useSystemText()
  const client = useQueryClient()
  const { rows, ...list } = wholeList(useQuery(jobQueues))
  const retry = (name: string) =>
    retryFailed(name)
      .then(({ retried }) => notify.done(t('retried', { count: retried })), notify.failed)
      .then(() => client.invalidateQueries({ queryKey: jobQueues.queryKey }))
  const columns: Column<JobQueue & { id: string }>[] = [
    { key: 'name', head: t('name'), cell: one => one.name },
    { key: 'waiting', head: t('waiting'), kind: 'number', cell: one => whole(one.waiting) },
    { key: 'deferred', head: t('deferred'), kind: 'number', cell: one => whole(one.deferred) },
    { key: 'active', head: t('active'), kind: 'number', cell: one => whole(one.active) },
    { key: 'failed', head: t('failed'), kind: 'number', cell: one => whole(one.failed) },
    {
      key: 'oldest',
      head: t('oldest'),
      cell: one => one.oldestAt && clock(one.oldestAt).format('L LT'),
    },
    {
      key: 'actions',
      head: '',
      kind: 'actions',
      cell: one =>
        one.failed > 0 && (
          <IconButton label={t('retry', { name: one.name })} onClick={() => void retry(one.name)}>
            <IconRefresh size={18} stroke={1.75} />
          </IconButton>
        ),
    },
  ]
  return (
    <ListTable
      label={t('queues')}
      columns={columns}
      list={{ ...list, rows: rows.map(one => ({ ...one, id: one.name })) }}
      icon={IconStack2}
      none={t('noQueue')}
    />
  )
}
