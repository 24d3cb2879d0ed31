import { Button } from '@mantine/core'
import { IconArrowLeft, IconChartPie, IconListDetails, IconPrinter } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { whyNot } from '../../platform/errors.text.ts'
import { Page } from '../../ui/page.tsx'
import { ServiceReport } from './attended-tickets.tsx'
import { MailButton } from './mail.dialog.tsx'
import { ReportDialog } from './report.dialog.tsx'
import { ReportView } from './report-view.tsx'
import { indicatorsFor, type Wanted } from './reports.api.ts'
import { useReportMenuText } from './reports.menu.text.ts'
import classes from './reports.module.css'
import { useReportText } from './reports.text.ts'
import { SaveReport } from './save-report.tsx'

type Kind = 'indicators' | 'service'

/** Two reports: parameters are entered in a dialog, and the result can be printed. */
export default function ReportsScreen() {
  const t = useReportText()
  const menu = useReportMenuText()
  const [asking, setAsking] = useState<Kind | null>(null)
  const [shown, setShown] = useState<{ kind: Kind; wanted: Wanted } | null>(null)
  if (shown)
    return (
      <Page
        title={t(shown.kind)}
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
        {shown.kind === 'indicators' ? (
          <Indicators wanted={shown.wanted} />
        ) : (
          <ServiceReport wanted={shown.wanted} />
        )}
      </Page>
    )
  return (
    <Page title={menu('reports')}>
      <div className={classes.choices}>
        <Choice kind="indicators" onAsk={setAsking} />
        <Choice kind="service" onAsk={setAsking} />
      </div>
      {asking && (
        <ReportDialog
          title={t(asking)}
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

function Choice({ kind, onAsk }: { kind: Kind; onAsk(kind: Kind): void }) {
  const t = useReportText()
  const Icon = kind === 'indicators' ? IconChartPie : IconListDetails
  return (
    <button type="button" className={classes.choice} onClick={() => onAsk(kind)}>
      <Icon size={28} stroke={1.5} aria-hidden />
      <strong>{t(kind)}</strong>
      <span>{t(`${kind}Hint`)}</span>
    </button>
  )
}

function Indicators({ wanted }: { wanted: Wanted }) {
  const t = useReportText()
  const { data, isError, error } = useQuery(indicatorsFor(wanted))
  if (isError && !data) return <p role="alert">{whyNot(error, t('failed'))}</p>
  return data ? <ReportView data={data} wanted={wanted} /> : null
}
