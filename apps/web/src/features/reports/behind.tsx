import { may } from '@balcao/contract/permissions.rules.ts'
import { Link } from 'react-router'
import { whole } from '../../platform/numbers.ts'
import { useViewer } from '../../platform/session.tsx'
import type { Asked } from '../tickets/asked.ts'
import classes from './reports.module.css'
import { useReportText } from './reports.text.ts'

interface BehindProps {
  /** Whose they are, for screen readers. */
  name: string
  status: 'pending' | 'open'
  asked?: Partial<Asked>
  count: number
}

/** A count that links to its tickets, for users whose search shows all of them. */
export function Behind({ name, status, asked, count }: BehindProps) {
  const t = useReportText()
  const viewer = useViewer()
  if (count === 0 || !may(viewer, 'tickets:showAll')) return whole(count)
  const place = { tab: 'search', sub: 'assigned', asked: { searchParam: '', from: null, status, ...asked } }
  return (
    <Link
      to="/tickets"
      state={{ place }}
      className={classes.link}
      aria-label={`${t(status)}: ${name}, ${whole(count)}`}
    >
      {whole(count)}
    </Link>
  )
}
