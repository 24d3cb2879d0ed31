import { Badge } from '../../ui/badge.tsx'
import { useLateTickets } from './late.ts'
import { useTargetText } from './targets.text.ts'

/** How many tickets are late, for whom it is to know. */
export default function LateMark() {
  const t = useTargetText()
  const { length: count } = useLateTickets()
  return <Badge count={count} look="late" label={t('lateCount', { count })} />
}
