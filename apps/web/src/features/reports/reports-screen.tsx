import { Button } from '@mantine/core'
import {
  IconArrowLeft,
  IconChartPie,
  IconCoffee,
  IconFlag,
  IconListDetails,
  IconPrinter,
  IconReceipt,
  IconSpeakerphone,
  IconStar,
  IconTargetArrow,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { whyNot } from '../../platform/errors.text.ts'
import { useGoTo } from '../../ui/go-to.ts'
import { Page } from '../../ui/page.tsx'
import { TargetsReport } from '../targets/targets-report.tsx'
import { PauseReport } from '../team/pause-report.tsx'
import { ServiceReport } from './attended-tickets.tsx'
import { CloudPrices } from './cloud-prices.tsx'
import { MailButton } from './mail.dialog.tsx'
import { ReasonReport } from './reasons.tsx'
import { ReferralReport } from './referrals.tsx'
import { ReportDialog } from './report.dialog.tsx'
import { ReportSheet } from './report-sheet.tsx'
import { ReportView } from './report-view.tsx'
import { askedOf, indicatorsFor, peopleIn, type Wanted } from './reports.api.ts'
import { useReportMenuText } from './reports.menu.text.ts'
import classes from './reports.module.css'
import { useSourcesText } from './reports.sources.text.ts'
import { useReportText } from './reports.text.ts'
import { SaveReport } from './save-report.tsx'

const CHOICES = {
  indicators: IconChartPie,
  service: IconListDetails,
  referrals: IconSpeakerphone,
  prices: IconReceipt,
  pauses: IconCoffee,
  targets: IconTargetArrow,
  reasons: IconFlag,
  survey: IconStar,
}
type Kind = keyof typeof CHOICES
const KINDS: Kind[] = [
  ...(['indicators', 'service', 'reasons', 'survey'] as const),
  ...(['targets', 'pauses', 'referrals', 'prices'] as const),
]

/** The reports: parameters are entered in a dialog, and the result can be printed. */
export default function ReportsScreen() {
  const t = useReportText()
  const menu = useReportMenuText()
  const titles = useTitles()
  const goTo = useGoTo()
  const [asking, setAsking] = useState<Kind | null>(null)
  const [shown, setShown] = useState<{ kind: Kind; wanted: Wanted } | null>(null)
  if (shown)
    return (
      <Page
        title={titles[shown.kind]}
        actions={
          <>
            <Button
              variant="default"
              leftSection={<IconArrowLeft size={16} aria-hidden />}
              onClick={() => setShown(null)}
            >
              {t('back')}
            </Button>
            {shown.kind === 'indicators' && (
              <>
                <MailButton wanted={shown.wanted} />
                <SaveReport wanted={shown.wanted} />
              </>
            )}
            <Button leftSection={<IconPrinter size={16} aria-hidden />} onClick={() => window.print()}>
              {t('print')}
            </Button>
          </>
        }
      >
        <Shown {...shown} />
      </Page>
    )
  return (
    <Page title={menu('reports')}>
      <div className={classes.choices}>
        {KINDS.map(kind => (
          <Choice
            key={kind}
            kind={kind}
            // its screen has filters of its own
            onAsk={asked => (asked === 'survey' ? goTo('/survey') : setAsking(asked))}
          />
        ))}
      </div>
      {asking && (
        <ReportDialog
          title={titles[asking]}
          isOfPeople={asking !== 'prices'}
          onClose={() => setAsking(null)}
          onGenerate={wanted => {
            setShown({ kind: asking, wanted })
            setAsking(null)
          }}
        />
      )}
    </Page>
  )
}

function useTitles(): Record<Kind, string> {
  const t = useReportText()
  const s = useSourcesText()
  return {
    indicators: t('indicators'),
    service: t('service'),
    referrals: s('referrals'),
    prices: s('prices'),
    pauses: s('pauses'),
    targets: s('targets'),
    reasons: s('reasons'),
    survey: s('survey'),
  }
}

function Choice({ kind, onAsk }: { kind: Kind; onAsk(kind: Kind): void }) {
  const t = useReportText()
  const s = useSourcesText()
  const titles = useTitles()
  const Icon = CHOICES[kind]
  const isOwn = kind === 'indicators' || kind === 'service'
  return (
    <button type="button" className={classes.choice} onClick={() => onAsk(kind)}>
      <Icon size={28} stroke={1.5} aria-hidden />
      <strong>{titles[kind]}</strong>
      <span>{isOwn ? t(`${kind}Hint`) : s(`${kind}Hint`)}</span>
    </button>
  )
}

function Shown({ kind, wanted }: { kind: Kind; wanted: Wanted }) {
  if (kind === 'indicators') return <Indicators wanted={wanted} />
  if (kind === 'pauses') return <PauseReport {...peopleIn(wanted)} />
  if (kind === 'targets')
    return (
      <ReportSheet>
        <TargetsReport asked={askedOf(wanted)} />
      </ReportSheet>
    )
  if (kind === 'reasons') return <ReasonReport wanted={wanted} />
  if (kind === 'service') return <ServiceReport wanted={wanted} />
  return kind === 'referrals' ? <ReferralReport wanted={wanted} /> : <CloudPrices wanted={wanted} />
}

function Indicators({ wanted }: { wanted: Wanted }) {
  const t = useReportText()
  const { data, isError, error } = useQuery(indicatorsFor(wanted))
  if (isError && !data) return <p role="alert">{whyNot(error, t('failed'))}</p>
  return data ? <ReportView data={data} wanted={wanted} /> : null
}
