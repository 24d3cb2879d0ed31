import { Badge } from '../../ui/badge.tsx'
import { useActiveLists } from './tickets.api.ts'

/** Number of waiting tickets, in the menu. */
export function PendingMark() {
  const { pending } = useActiveLists()
  return <Badge count={pending.list?.count ?? 0} look="tertiary" />
}
