import { targetMissedChannel } from '@balcao/contract/targets.ts'
import { listen } from '../../platform/live.ts'
import { notify } from '../../platform/notify.tsx'
import { queryClient } from '../../platform/query.ts'
import { useTargetText } from './targets.text.ts'

/** Admins, and the attendant of the ticket, are notified of each target that is missed; what is missed at once is one notice a ticket. */
export const followTargets = (): (() => void) =>
  listen(targetMissedChannel, ({ ticketId, kind, contact, queue }) => {
    const t = useTargetText.read
    notify.warn(t('missedNow', { what: t(kind), contact, queue }), { id: `missed ${ticketId}` })
    void queryClient.invalidateQueries({ queryKey: ['targets'] })
  })
