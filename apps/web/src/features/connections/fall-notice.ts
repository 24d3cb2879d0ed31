import { isRestricted } from '@balcao/contract/connections.rules.ts'
import type { Connection } from '@balcao/contract/connections.ts'
import { reasonText } from '../../platform/errors.text.ts'
import { notify } from '../../platform/notify.tsx'
import { clock } from '../../platform/time.ts'
import { useFallText } from './connections.falls.text.ts'

/** Announces connections that ended or were restricted since, until the notice is closed. */
export function announceFalls(before: Connection[], after: Connection[]) {
  for (const connection of after) {
    const known = before.find(one => one.id === connection.id)
    const what = known && newsOf(known, connection)
    if (!what) continue
    const { id, name } = connection
    notify.warn(useFallText.read('news', { name, what }), { seconds: 'stays', id: `fell ${id}` })
  }
}

function newsOf(before: Connection, { status, statusReason, restrictedUntil }: Connection): string | null {
  if (status === 'DISCONNECTED' && statusReason && before.status !== status) return reasonText(statusReason)
  const now = Date.now()
  if (!isRestricted({ restrictedUntil }, now) || isRestricted(before, now)) return null
  return useFallText.read('restrictedUntil', { at: clock(restrictedUntil ?? '').format('L LT') })
}
