import type { Ticket } from '@balcao/contract/tickets.ts'
import { useRef, useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { syncTags } from './tags.api.ts'

/**
 * The tags of a ticket as chosen: updated optimistically, saved one after the other. When the last is saved,
 * or one is refused, the ticket's own tags are shown again.
 */
export function useChosenTags(ticket: Ticket) {
  const [wanted, setWanted] = useState<{ tagIds: number[]; version: number | null } | null>(null)
  const saving = useRef(Promise.resolve())
  // what was saved is on the ticket with the version that the answer named
  const isThere = wanted?.version != null && ticket.version >= wanted.version
  const chosen = wanted && !isThere ? wanted.tagIds : ticket.tags.map(({ id }) => id)

  function toggle(tagId: number) {
    const tagIds = chosen.includes(tagId) ? chosen.filter(id => id !== tagId) : [...chosen, tagId]
    setWanted({ tagIds, version: null })
    saving.current = saving.current
      .then(() => syncTags(ticket.id, tagIds))
      .then(
        ({ version }) => setWanted(now => (now?.tagIds === tagIds ? { tagIds, version } : now)),
        error => {
          notify.failed(error)
          setWanted(null)
        },
      )
  }
  return { chosen, toggle }
}
