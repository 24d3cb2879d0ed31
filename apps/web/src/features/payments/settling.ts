import { useState } from 'react'
import { notify } from '../../platform/notify.tsx'

/** Runs what settles a payment once at a time, reports it, and closes its dialog where it was not refused. */
export function useSettling(done: string, onClose: () => void) {
  const [busy, setBusy] = useState(false)
  const settle = (work: () => Promise<void>) => {
    setBusy(true)
    return work()
      .then(() => {
        notify.done(done)
        onClose()
      }, notify.failed)
      .finally(() => setBusy(false))
  }
  return { busy, settle }
}
