import { Badge } from '../../ui/badge.tsx'
import { useLivingLists } from './tickets.api.ts'

/** Number of waiting tickets, in the menu. */
export function PendingMark() {
  const { pending } = useLivingLists()
  return <Badge count={pending.list?.count ?? 0} look="tertiary" />
}
