import type { Platform } from '../platform/app.ts'
import type { Sql } from '../platform/postgres/db.ts'
import { type Repeated, repeat } from '../platform/work/repeat.ts'

/** Calls `look` when something waits for the session of a connection; answers a function that ends it. */
export type LookedFor = (whatsappId: number, look: () => void) => () => void

/**
 * Looks for what waits for the sessions of one driver, since a signal may be lost: by one statement every `ms` for all sessions
 * of the process, and by none while there is no session. `waiting` answers the connections of a process (`owner`) for which
 * something waits.
 */
export function lookFor(
  { scopes, instance, log }: Pick<Platform, 'scopes' | 'instance' | 'log'>,
  ms: number,
  waiting: (sql: Sql, owner: string) => Promise<number[]>,
): LookedFor {
  const open = new Map<number, () => void>()
  let looking: Repeated | null = null
  async function look() {
    for (const whatsappId of await scopes.platform().list(sql => waiting(sql, instance)))
      open.get(whatsappId)?.()
  }
  return (whatsappId, lookAt) => {
    open.set(whatsappId, lookAt)
    looking ??= repeat(ms, look, log)
    return () => {
      if (open.get(whatsappId) === lookAt) open.delete(whatsappId)
      if (open.size > 0) return
      void looking?.stop()
      looking = null
    }
  }
}
