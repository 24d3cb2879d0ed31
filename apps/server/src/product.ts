import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import { channels } from './channels/channels.ts'
import { viewersOfSessions } from './features/auth/auth.queries.ts'
import { presenceWritten } from './features/availability/availability.worker.ts'
import { meterOf } from './features/companies/companies.storage.actions.ts'
import { logsWatched } from './features/messageLogs/messageLogs.watching.live.ts'
import { usesWritten } from './features/secretUses/secretUses.worker.ts'
import { heartbeat } from './features/systemControl/systemControl.worker.ts'
import { viewerOfVisit } from './features/visits/visits.queries.ts'
import { features } from './features.ts'
import type { Product } from './platform/start.ts'
import { refuseDemoAccounts } from './seed/demo.accounts.ts'
import { firstStart } from './seed/first-start.ts'

/** What this product is made of, for main and for tests alike. */
export const product: Product = {
  features,
  roles: [channels, usesWritten, presenceWritten, heartbeat, logsWatched],
  loadViewers: (scopes, asked) =>
    scopes.platform().transaction(async sql => {
      const own = await viewersOfSessions(
        sql,
        asked.filter(({ visitId }) => !visitId),
      )
      const visiting: (Viewer | null)[] = []
      for (const claims of asked.filter(({ visitId }) => visitId))
        visiting.push(await viewerOfVisit(sql, claims))
      return asked.map(({ visitId }) => (visitId ? visiting.shift()! : own.shift()!))
    }),
  meter: meterOf,
  admit: refuseDemoAccounts,
  seed: firstStart,
}
