import type { ReactNode } from 'react'
import { useUser } from '../../platform/session.tsx'
import classes from './reports.module.css'

/** The printed part of a report; on paper, without the top bar, it names the company. */
export function ReportSheet({ children }: { children: ReactNode }) {
  const { company } = useUser()
  return (
    <div className={classes.report} data-report>
      <strong className={classes.onPaper}>{company.companyName}</strong>
      {children}
    </div>
  )
}
