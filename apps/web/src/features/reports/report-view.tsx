import type { ReportData } from '@balcao/contract/reports.ts'
import { clock } from '../../platform/time.ts'
import { Queues, Users } from './attended.tsx'
import { ByHour } from './by-hour.tsx'
import { ReportAsked } from './closings.tsx'
import { NowCards, RangeCards } from './figure-cards.tsx'
import { General } from './general.tsx'
import { OverTime } from './over-time.tsx'
import { PartTable } from './part-table.tsx'
import { ReportAskedFor } from './report-asked.tsx'
import { ReportSheet } from './report-sheet.tsx'
import type { Wanted } from './reports.api.ts'
import classes from './reports.module.css'
import { useReportText } from './reports.text.ts'

const MEANINGS = ['tmaMeans', 'tmeMeans', 'answerMeans', 'ownMeans', 'byHourMeans'] as const

/** A report: figures, figures over time, then by user, queue and other attributes. */
export function ReportView({ data, wanted }: { data: ReportData; wanted: Wanted }) {
  const t = useReportText()
  const { from, until } = data.range
  const before = new Date(2 * Date.parse(from) - Date.parse(until)).toISOString()
  return (
    <ReportAsked value={wanted}>
      <ReportSheet>
        <NowCards data={data} />
        <ReportAskedFor wanted={wanted} from={from} until={until} before={before} />
        <RangeCards data={data} />
        <ul className={classes.meanings}>
          {data.asOf && <li>{t('asOf', { time: clock(data.asOf).format('LTS') })}</li>}
          {MEANINGS.map(key => (
            <li key={key}>{t(key)}</li>
          ))}
        </ul>
        <OverTime days={data.days} />
        <ByHour wanted={wanted} />
        <General data={data} />
        <Users data={data} />
        <Queues data={data} />
        <PartTable
          title={t('byConnection')}
          head={t('connection')}
          parts={data.dataConnections}
          narrow={whatsappId => ({ whatsappId })}
          all={data.figures}
        />
        <PartTable
          title={t('byTag')}
          head={t('tag')}
          parts={data.dataTags}
          narrow={tagId => ({ tagId })}
          all={null}
        />
      </ReportSheet>
    </ReportAsked>
  )
}
