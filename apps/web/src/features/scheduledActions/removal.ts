import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { actionList } from './scheduledActions.api.ts'

/** The list is empty that long after a deletion, and is asked for again then (automation §4, §9). */
const RELOAD_MS = 1_500

/** Deletes, says how it went, empties the list and asks for it again. */
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
