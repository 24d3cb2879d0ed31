import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { whyNot } from '../../platform/errors.text.ts'
import { DateTimeField } from '../../ui/date-time-field.tsx'
import { Page } from '../../ui/page.tsx'
import { MailButton } from './mail.dialog.tsx'
import { ReportView } from './report-view.tsx'
import { dashFor, faultOf, refreshReports, thisMonth } from './reports.api.ts'
import { useReportMenuText } from './reports.menu.text.ts'
import classes from './reports.module.css'
import { useReportText } from './reports.text.ts'
import { SaveReport } from './save-report.tsx'
import { TargetsButton } from './targets.dialog.tsx'

/** How customers were attended, of this month unless another range is chosen. */
export default function DashScreen() {
  const t = useReportText()
  const menu = useReportMenuText()
  const [wanted, setWanted] = useState(thisMonth)
  const [shown, setShown] = useState(wanted)
  const { data, isError, error } = useQuery(dashFor(shown))
  const fault = faultOf(wanted)
  return (
    <Page
      title={menu('dash')}
      actions={
        <>
          <TargetsButton />
          <MailButton wanted={shown} />
          <SaveReport wanted={shown} />
        </>
      }
    >
      <form
        className={classes.filter}
        onSubmit={event => {
          event.preventDefault()
          if (fault) return
          setShown(wanted)
          if (shown === wanted) refreshReports()
        }}
      >
        <DateTimeField
          label={t('from')}
          value={wanted.from}
          onChange={from => setWanted({ ...wanted, from })}
        />
        <DateTimeField
          label={t('until')}
          value={wanted.until}
          onChange={until => setWanted({ ...wanted, until })}
          error={fault && t(fault)}
        />
        <Button type="submit">{t('filter')}</Button>
      </form>
      {isError && !data && <p role="alert">{whyNot(error, t('failed'))}</p>}
      {data && <ReportView data={data} wanted={shown} />}
    </Page>
  )
}
