import { may } from '@balcao/contract/permissions.rules.ts'
import { durationOf } from '@balcao/contract/reports.rules.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { createContext, useContext, useState } from 'react'
import { Link } from 'react-router'
import { whole } from '../../platform/numbers.ts'
import { useViewer } from '../../platform/session.tsx'
import { clock } from '../../platform/time.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Table } from '../../ui/table.tsx'
import { closingsFor, type NarrowedReport, type Wanted } from './reports.api.ts'
import classes from './reports.module.css'
import { useReportText } from './reports.text.ts'

/** Parameters of the shown report. */
const AskedReport = createContext<Wanted | null>(null)
export const ReportAsked = AskedReport.Provider

/** A count of closed tickets; a link to them for users who see them all. */
export function Closings({
  name,
  narrowed,
  count,
}: {
  name: string
  narrowed: NarrowedReport
  count: number
}) {
  const t = useReportText()
  const viewer = useViewer()
  const wanted = useContext(AskedReport)
  const [isOpen, setIsOpen] = useState(false)
  if (count === 0 || !wanted || !may(viewer, 'tickets:showAll')) return whole(count)
  const title = t('behind', { name })
  return (
    <>
      <button
        type="button"
        className={classes.figure}
        aria-label={`${title}, ${whole(count)}`}
        onClick={() => setIsOpen(true)}
      >
        {whole(count)}
      </button>
      {/* buttons are not printed: on paper the count is plain text */}
      <span className={classes.printed} data-count={whole(count)} />
      {isOpen && (
        <Dialog title={title} size={720} onClose={() => setIsOpen(false)}>
          <ClosingList wanted={wanted} narrowed={narrowed} />
        </Dialog>
      )}
    </>
  )
}

function ClosingList({ wanted, narrowed }: { wanted: Wanted; narrowed: NarrowedReport }) {
  const t = useReportText()
  const list = useInfiniteQuery(closingsFor(wanted, narrowed))
  return (
    <Table
      label={t('closings')}
      rows={list.data?.pages.flatMap(({ services }) => services) ?? []}
      keyOf={({ id }) => id}
      paging={list}
      empty={t('empty')}
      columns={[
        {
          key: 'protocol',
          head: t('protocol'),
          cell: ({ ticketId, protocol }) => (
            <Link to={`/tickets/${ticketId}`} className={classes.link}>
              {protocol}
            </Link>
          ),
        },
        { key: 'contact', head: t('contact'), cell: ({ contact }) => contact },
        { key: 'user', head: t('user'), cell: ({ user }) => user },
        { key: 'closed', head: t('closedAt'), cell: one => clock(one.closedAt).format('L LT') },
        { key: 'wait', head: t('wait'), kind: 'number', cell: one => durationOf(one.waitSeconds) },
        { key: 'answer', head: t('answer'), kind: 'number', cell: one => durationOf(one.answerSeconds) },
        { key: 'serve', head: t('serve'), kind: 'number', cell: one => durationOf(one.serveSeconds) },
      ]}
    />
  )
}
