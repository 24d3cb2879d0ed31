import { connectionsWithDeliveries } from '../../features/cloud/cloud.queries.ts'
import type { Platform } from '../../platform/app.ts'
import { type Repeated, repeat } from '../../platform/work/repeat.ts'

/** How often (ms) deliveries are looked for: a signal may be lost. */
const LOOK_MS = 1_000

/** Calls `look` when deliveries wait; answers a function that ends it. */
export type LookedFor = (whatsappId: number, look: () => void) => () => void

/** By one statement for all sessions of the process, and by none where there is no session. */
export function lookForDeliveries({ scopes, instance, log }: Platform): LookedFor {
  const open = new Map<number, () => void>()
  let looking: Repeated | null = null
  async function look() {
    const waiting = await scopes.platform().list(sql => connectionsWithDeliveries(sql, instance))
    for (const whatsappId of waiting) open.get(whatsappId)?.()
  }
  return (whatsappId, lookAt) => {
    open.set(whatsappId, lookAt)
    looking ??= repeat(LOOK_MS, look, log)
    return () => {
      if (open.get(whatsappId) === lookAt) open.delete(whatsappId)
      if (open.size > 0) return
      void looking?.stop()
      looking = null
    }
  }
}
