import type { ReactNode } from 'react'
import { useUser } from '../../platform/session.tsx'
import classes from './reports.module.css'

/** What is printed of a report; on paper, away from the top bar, it says whose it is. */
export function ReportSheet({ children }: { children: ReactNode }) {
  const { company } = useUser()
  return (
    <div className={classes.report} data-report>
      <strong className={classes.onPaper}>{company.companyName}</strong>
      {children}
    </div>
  )
}
