import { type Standing, worsened } from '@balcao/contract/cloud.standing.rules.ts'
import { notify } from '../../platform/notify.tsx'
import { useStandingText } from './cloud.standing.text.ts'

/** Announces what Meta thinks worse of than before, until it is closed. */
export function announceWorse({ id, name }: { id: number; name: string }, before: Standing, after: Standing) {
  const worse = worsened(before, after, Date.now())
  if (worse.length === 0) return
  const what = worse.map(one => useStandingText.read(one)).join(', ')
  notify.warn(useStandingText.read('worse', { name, what }), { seconds: 'stays', id: `worse ${id}` })
}
