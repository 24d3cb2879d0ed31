import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { actionList } from './scheduledActions.api.ts'

/** The list is emptied for this long after a deletion, and then refetched (automation §4, §9). */
const RELOAD_MS = 1_500

/** Deletes, reports the result, empties the list and refetches it. */
export function useRemoval() {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  async function run(remove: () => Promise<unknown>, done: string, failed: string) {
    setBusy(true)
    try {
      await remove()
      notify.done(done)
      await client.cancelQueries({ queryKey: actionList.queryKey })
      client.setQueryData(actionList.queryKey, [])
      setTimeout(() => void client.invalidateQueries({ queryKey: actionList.queryKey }), RELOAD_MS)
    } catch {
      notify.warn(failed)
    }
    setBusy(false)
  }
  return { run, busy }
}
