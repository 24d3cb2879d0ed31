import type { Campaign } from '@balcao/contract/campaignShapes.ts'
import { useQuery } from '@tanstack/react-query'
import { reasonText } from '../../platform/errors.text.ts'
import { whole } from '../../platform/numbers.ts'
import { clock } from '../../platform/time.ts'
import { CampaignState } from './campaign-state.tsx'
import { reportOf } from './campaigns.api.ts'
import classes from './campaigns.module.css'
import { useManagerText } from './campaigns.running.text.ts'

const shown = ['pending', 'sending', 'sent', 'delivered', 'read', 'answered', 'failed', 'optedOut'] as const
const bad = new Set<string>(['failed', 'optedOut'])

/** Progress: text, and a chart that is a table. */
export function ProgressPanel({ campaign }: { campaign: Campaign }) {
  const t = useManagerText()
  const { counts, status, schedule } = campaign
  const total = whole(counts.total)
  return (
    <section className={classes.card} aria-labelledby="campaign-progress">
      <h2 id="campaign-progress" className={classes.head}>
        {t('progress')}
      </h2>
      <dl className={classes.facts}>
        <dt>{t('status')}</dt>
        <dd>
          <CampaignState status={status} />
        </dd>
        <dt>{t('scheduledFor')}</dt>
        <dd>{schedule ? clock(schedule).format('L LT') : t('notScheduled')}</dd>
      </dl>
      <div>
        <div>{t('sentOf', { count: whole(counts.sent), total })}</div>
        <div>{t('failedOf', { count: whole(counts.failed), total })}</div>
      </div>
      <Bars
        label={t('progress')}
        of={counts.total}
        rows={shown.map(what => ({ key: what, label: t(what), count: counts[what], isBad: bad.has(what) }))}
      />
      <Report campaign={campaign} />
    </section>
  )
}

/** Failures by reason, and answers by button. */
function Report({ campaign }: { campaign: Campaign }) {
  const t = useManagerText()
  const { failed, answered } = campaign.counts
  const { data } = useQuery(reportOf(campaign))
  const { reasons = [], buttons = [] } = data ?? {}
  return (
    <>
      {buttons.length > 0 && (
        <>
          <h3 className={classes.head}>{t('buttons')}</h3>
          <Bars
            label={t('buttons')}
            of={answered}
            rows={buttons.map(({ button, count }) => ({ key: button, label: button, count, isBad: false }))}
          />
        </>
      )}
      {failed > 0 && (
        <>
          <h3 className={classes.head}>{t('reasons')}</h3>
          <Bars
            label={t('reasons')}
            of={failed}
            rows={reasons.map(({ reason, count }) => ({
              key: reason,
              label: reasonText(reason),
              count,
              isBad: true,
            }))}
          />
        </>
      )}
    </>
  )
}

interface BarsProps {
  label: string
  of: number
  rows: { key: string; label: string; count: number; isBad: boolean }[]
}

function Bars({ label, of, rows }: BarsProps) {
  const t = useManagerText()
  return (
    <table className={classes.counts} aria-label={label}>
      <thead className="sr-only">
        <tr>
          <th scope="col">{t('what')}</th>
          <th scope="col">{t('count')}</th>
          <th scope="col">{t('share')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, label, count, isBad }) => {
          const share = of > 0 ? Math.round((100 * count) / of) : 0
          return (
            <tr key={key} data-count={key}>
              <th scope="row">{label}</th>
              <td>{whole(count)}</td>
              <td>
                <span className="sr-only">{share}%</span>
                {count > 0 && (
                  <span
                    aria-hidden
                    className={classes.bar}
                    data-failed={isBad || undefined}
                    style={{ width: `${share}%` }}
                  />
                )}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
