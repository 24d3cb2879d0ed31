import { MAX_FORWARDED } from '@balcao/contract/messages.ts'
import { ofPerson } from '../../../platform/person.ts'
import { type Store, store, useStore } from '../../../platform/store.ts'

/** Which messages of a conversation are selected; nothing while none is being selected. */
interface Selection {
  ticketId: number
  ids: ReadonlySet<string>
}

const selection: Store<Selection | null> = store(null)

ofPerson(() => selection.write(null))

export const beginSelection = (ticketId: number, messageId: string) =>
  selection.write({ ticketId, ids: new Set([messageId]) })

export const endSelection = () => selection.write(null)

/** Adds or removes a message; at the limit for forwarding none is added. */
export function toggleSelected(messageId: string): void {
  const now = selection.read()
  if (!now) return
  const ids = new Set(now.ids)
  if (!ids.delete(messageId) && ids.size < MAX_FORWARDED) ids.add(messageId)
  selection.write({ ...now, ids })
}

/** The ids that are selected in a conversation; null while none is being selected there. */
export const useSelection = (ticketId: number): ReadonlySet<string> | null =>
  useStore(selection, now => (now?.ticketId === ticketId ? now.ids : null))

/** State of one message: null outside of a selection, `full` where no other can be added. */
export const useSelected = (messageId: string): 'on' | 'off' | 'full' | null =>
  useStore(selection, now => {
    if (!now) return null
    if (now.ids.has(messageId)) return 'on'
    return now.ids.size < MAX_FORWARDED ? 'off' : 'full'
  })
