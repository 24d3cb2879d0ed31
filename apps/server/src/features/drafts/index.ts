import type { Feature } from '../../platform/features.ts'
import { lifetime } from '../../platform/work/retention.ts'
import { live } from './drafts.live.ts'
import { reacts } from './drafts.reacts.ts'
import { routes } from './drafts.routes.ts'
import { drafts as kept } from './drafts.table.ts'

export const drafts: Feature = {
  name: 'drafts',
  routes,
  live,
  reacts,
  jobs: [lifetime(kept, kept.savedAt, 30)],
}
