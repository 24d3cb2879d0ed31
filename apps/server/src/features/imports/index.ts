import type { Feature } from '../../platform/features.ts'
import { importStagedJob } from './imports.jobs.ts'
import { live } from './imports.live.ts'
import { reacts } from './imports.reacts.ts'
import { routes } from './imports.routes.ts'
import { sealedOfImports } from './imports.table.ts'

export const imports: Feature = {
  name: 'imports',
  routes,
  live,
  reacts,
  jobs: [importStagedJob, ...sealedOfImports],
}
