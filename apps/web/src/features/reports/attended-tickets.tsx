import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { whyNot } from '../../platform/errors.text.ts'
import { whole } from '../../platform/numbers.ts'
import { clock, momentAt } from '../../platform/time.ts'
import { Table } from '../../ui/table.tsx'
import { ReportAskedFor } from './report-asked.tsx'
import { ReportSheet } from './report-sheet.tsx'
import { servicesFor, type Wanted } from './reports.api.ts'
import classes from './reports.module.css'
import { useReportText } from './reports.text.ts'

const STATUS = { pending: 'isPending', open: 'isOpen', closed: 'isClosed' } as const

/** The tickets that were created in a range, newest first. */
export function ServiceReport({ wanted }: { wanted: Wanted }) {
  const t = useReportText()
  const { data, isError, error } = useQuery(servicesFor(wanted))
  if (isError && !data) return <p role="alert">{whyNot(error, t('failed'))}</p>
  if (!data) return null
  const tickets = data.reportData.tickets.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
  return (
    <ReportSheet>
      <ReportAskedFor
        wanted={wanted}
        from={wanted.from ? momentAt(wanted.from) : clock().startOf('month').toISOString()}
        until={wanted.until ? momentAt(wanted.until) : clock().toISOString()}
      />
      {data.hasMore && <p className={classes.legendText}>{t('cut', { count: tickets.length })}</p>}
      <Table
        label={t('service')}
        rows={tickets}
        keyOf={({ id }) => id}
        empty={t('empty')}
        columns={[
          {
            key: 'protocol',
            head: t('protocol'),
            by: ({ protocol }) => protocol,
            total: `${t('total')}: ${whole(tickets.length)}`,
            cell: ({ id, protocol }) => (
              <Link to={`/tickets/${id}`} className={classes.link}>
                {protocol}
              </Link>
            ),
          },
          {
            key: 'contact',
            head: t('contact'),
            cell: ({ contact }) => contact.name,
            by: ({ contact }) => contact.name,
          },
          {
            key: 'queue',
            head: t('queue'),
            cell: ({ queue }) => queue?.name,
            by: ({ queue }) => queue?.name ?? null,
          },
          {
            key: 'user',
            head: t('user'),
            cell: ({ user }) => user?.name,
            by: ({ user }) => user?.name ?? null,
          },
          {
            key: 'status',
            head: t('status'),
            cell: ({ status }) => t(STATUS[status]),
            by: ({ status }) => t(STATUS[status]),
          },
          {
            key: 'created',
            head: t('created'),
            kind: 'number',
            cell: ({ createdAt }) => clock(createdAt).format('L LT'),
            by: ({ createdAt }) => createdAt,
          },
        ]}
      />
    </ReportSheet>
  )
}
