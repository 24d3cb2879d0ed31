import { channels } from './channels/supervisor.ts'
import { viewerOfSession } from './features/auth/auth.queries.ts'
import { heart } from './features/systemControl/systemControl.heart.ts'
import { viewerOfVisit } from './features/visits/visits.queries.ts'
import { features } from './features.ts'
import type { Product } from './platform/app.ts'
import { firstStart } from './seed/first-start.ts'

/** What this product is made of, for main and for tests alike. */
export const product: Product = {
  features,
  roles: [channels, heart],
  loadViewer: (scopes, claims) =>
    scopes
      .platform()
      .transaction(sql => (claims.visitId ? viewerOfVisit(sql, claims) : viewerOfSession(sql, claims))),
  seed: firstStart,
}
