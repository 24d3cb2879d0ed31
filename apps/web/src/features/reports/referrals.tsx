import { may } from '@balcao/contract/permissions.rules.ts'
import type { ReferralSource, ReferredTicket } from '@balcao/contract/referrals.ts'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { whyNot } from '../../platform/errors.text.ts'
import { whole } from '../../platform/numbers.ts'
import { useViewer } from '../../platform/session.tsx'
import { clock, momentAt } from '../../platform/time.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { ReportAskedFor } from './report-asked.tsx'
import { ReportSheet } from './report-sheet.tsx'
import { referralsFor, referredFor, type Wanted } from './reports.api.ts'
import classes from './reports.module.css'
import { useSourcesText } from './reports.sources.text.ts'
import { useReportText } from './reports.text.ts'

type Status = ReferredTicket['status']
const COUNTED = ['tickets', 'pending', 'open', 'closed'] as const
const STATUS = { pending: 'isPending', open: 'isOpen', closed: 'isClosed' } as const

/** Which ads, posts and products brought how many tickets, each count with its tickets. */
export function ReferralReport({ wanted }: { wanted: Wanted }) {
  const t = useReportText()
  const s = useSourcesText()
  const { data, isError, error } = useQuery(referralsFor(wanted))
  if (isError && !data) return <p role="alert">{whyNot(error, t('failed'))}</p>
  if (!data) return null
  const sum = (of: (typeof COUNTED)[number]) => whole(data.reduce((all, one) => all + one[of], 0))
  return (
    <ReportSheet>
      <ReportAskedFor
        wanted={wanted}
        from={wanted.from ? momentAt(wanted.from) : clock().startOf('month').toISOString()}
        until={wanted.until ? momentAt(wanted.until) : clock().toISOString()}
      />
      <p className={classes.legendText}>{s('referralsMean')}</p>
      <Table
        label={s('referrals')}
        rows={data}
        keyOf={({ key }) => key}
        empty={s('noReferrals')}
        columns={[
          {
            key: 'type',
            head: s('type'),
            cell: ({ type }) => typeText(s, type),
            by: ({ type }) => type,
            total: t('total'),
          },
          {
            key: 'source',
            head: s('source'),
            kind: 'name',
            cell: source => <Source source={source} />,
            by: nameOf,
          },
          ...COUNTED.map(
            (of): Column<ReferralSource> => ({
              key: of,
              head: t(of),
              kind: 'number',
              cell: source => <Referred source={source} of={of} wanted={wanted} />,
              by: source => source[of],
              total: sum(of),
            }),
          ),
        ]}
      />
    </ReportSheet>
  )
}

const typeText = (s: ReturnType<typeof useSourcesText>, type: string) =>
  type === 'ad' || type === 'post' || type === 'product' ? s(type) : type

const nameOf = ({ headline, sourceId, sourceUrl }: ReferralSource) => headline || sourceId || sourceUrl

function Source({ source }: { source: ReferralSource }) {
  const s = useSourcesText()
  const { headline, sourceId, sourceUrl } = source
  const name = nameOf(source) || s('unknownSource')
  return (
    <>
      {/^https?:\/\//i.test(sourceUrl) ? (
        <a href={sourceUrl} className={classes.link} target="_blank" rel="noopener noreferrer nofollow">
          {name}
        </a>
      ) : (
        name
      )}
      {headline && sourceId && (
        <>
          <br />
          <small>{sourceId}</small>
        </>
      )}
    </>
  )
}

/** A count; a link to its tickets for users who see them all. */
function Referred({
  source,
  of,
  wanted,
}: {
  source: ReferralSource
  of: (typeof COUNTED)[number]
  wanted: Wanted
}) {
  const t = useReportText()
  const s = useSourcesText()
  const viewer = useViewer()
  const [isOpen, setIsOpen] = useState(false)
  const count = source[of]
  if (count === 0 || !may(viewer, 'tickets:showAll')) return whole(count)
  const title = `${t(of)}: ${nameOf(source) || s('unknownSource')}`
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
          <ReferredList wanted={wanted} source={source} status={of === 'tickets' ? undefined : of} />
        </Dialog>
      )}
    </>
  )
}

function ReferredList({
  wanted,
  source: { key },
  status,
}: {
  wanted: Wanted
  source: ReferralSource
  status: Status | undefined
}) {
  const t = useReportText()
  const s = useSourcesText()
  const list = useInfiniteQuery(referredFor(wanted, key, status))
  return (
    <Table
      label={t('tickets')}
      rows={list.data?.pages.flatMap(({ tickets }) => tickets) ?? []}
      keyOf={({ id }) => id}
      paging={list}
      empty={t('empty')}
      columns={[
        {
          key: 'protocol',
          head: t('protocol'),
          cell: ({ id, protocol }) => (
            <Link to={`/tickets/${id}`} className={classes.link}>
              {protocol}
            </Link>
          ),
        },
        { key: 'contact', head: t('contact'), cell: ({ contact }) => contact },
        { key: 'queue', head: t('queue'), cell: ({ queue }) => queue },
        { key: 'user', head: t('user'), cell: ({ user }) => user },
        { key: 'status', head: t('status'), cell: one => t(STATUS[one.status]) },
        { key: 'at', head: s('cameAt'), kind: 'number', cell: ({ at }) => clock(at).format('L LT') },
      ]}
    />
  )
}
