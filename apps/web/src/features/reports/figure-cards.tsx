import {
  answerTime,
  closedPerDay,
  durationOf,
  serviceTime,
  targetsReached,
  waitTime,
} from '@balcao/contract/reports.rules.ts'
import type { ReportData } from '@balcao/contract/reports.ts'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { whole } from '../../platform/numbers.ts'
import { Behind } from './behind.tsx'
import { Closings } from './closings.tsx'
import classes from './figure-cards.module.css'
import { onlineUsers, ownTargets } from './reports.api.ts'
import reportClasses from './reports.module.css'
import { useReportText } from './reports.text.ts'

/** Current state, independent of the range. */
export function NowCards({ data }: { data: ReportData }) {
  const t = useReportText()
  const { data: online } = useQuery(onlineUsers)
  return (
    <section aria-label={t('now')}>
      <h2 className={reportClasses.heading}>{t('now')}</h2>
      <dl className={classes.cards}>
        <Card label={t('pending')}>
          <Behind name={t('general')} status="pending" count={data.countPending} />
        </Card>
        <Card label={t('open')}>
          <Behind name={t('general')} status="open" count={data.countOpenGeneral} />
        </Card>
        <Card label={t('online')}>{online ? whole(online.users) : '–'}</Card>
      </dl>
    </section>
  )
}

/** The figures of the range: each as it is, how it changed, and whether it reached its target. */
export function RangeCards({ data }: { data: ReportData }) {
  const t = useReportText()
  const { data: targets } = useQuery(ownTargets)
  const { figures, before, changes, days } = data
  const reached = targets && targetsReached(targets, figures, days.length)
  const [perDay, perDayBefore] = [closedPerDay(figures, days.length), closedPerDay(before, days.length)]
  const upTo = (minutes: number | null | undefined) =>
    minutes ? t('targetUpTo', { target: durationOf(minutes * 60) }) : null
  return (
    <section aria-label={t('value')}>
      <h2 className={reportClasses.heading}>{t('value')}</h2>
      <dl className={classes.cards}>
        <Card label={t('closed')} change={changes.closed} past={whole(before.closed)}>
          <Closings name={t('general')} narrowed={{}} count={data.countClosed} />
        </Card>
        <Card
          label={t('perDay')}
          // of as many days, and not of rounded numbers
          change={changes.closed}
          past={tenths(perDayBefore)}
          target={targets?.closedPerDay ? t('targetFrom', { target: whole(targets.closedPerDay) }) : null}
          isReached={reached?.perDay}
        >
          {tenths(perDay)}
        </Card>
        <Card
          label={t('tma')}
          change={changes.tma}
          past={durationOf(serviceTime(before))}
          target={upTo(targets?.serveMinutes)}
          isReached={reached?.serve}
        >
          {data.tmaTotalMedioMoment}
        </Card>
        <Card
          label={t('tme')}
          change={changes.tme}
          past={durationOf(waitTime(before))}
          target={upTo(targets?.waitMinutes)}
          isReached={reached?.wait}
        >
          {data.tmeTotalMedioMoment}
        </Card>
        <Card label={t('answer')} change={changes.answer} past={durationOf(answerTime(before))}>
          {durationOf(answerTime(figures))}
        </Card>
      </dl>
    </section>
  )
}

interface CardProps {
  label: string
  children: ReactNode
  change?: number | null
  past?: string
  target?: string | null
  isReached?: boolean | null | undefined
}

function Card({ label, children, change = null, past, target, isReached }: CardProps) {
  const t = useReportText()
  return (
    <div className={classes.card}>
      <dt>{label}</dt>
      <dd>
        <strong>{children}</strong>
        {past && (
          <small>
            {change !== null && `${changeShown(change)} · `}
            {t('before')}: {past}
          </small>
        )}
        {target && (
          <small className={classes.target} data-reached={isReached ?? undefined}>
            {isReached === true && <IconCheck size={14} stroke={2} aria-hidden />}
            {isReached === false && <IconAlertTriangle size={14} stroke={2} aria-hidden />}
            <span>
              {target}
              {typeof isReached === 'boolean' && ` · ${t(isReached ? 'reached' : 'missed')}`}
            </span>
          </small>
        )}
      </dd>
    </div>
  )
}

const tenths = (count: number | null) =>
  count === null ? '–' : count.toLocaleString(document.documentElement.lang, { maximumFractionDigits: 1 })

/** With its sign: +12%. */
export const changeShown = (percents: number) =>
  (percents / 100).toLocaleString(document.documentElement.lang, {
    style: 'percent',
    signDisplay: 'exceptZero',
  })
