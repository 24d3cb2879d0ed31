import type { Feature } from '../../platform/features.ts'
import { chore } from '../../platform/work/jobs.ts'
import { backupFigures } from './backups.figures.queries.ts'
import { runsLifetime } from './backups.queries.ts'
import { drillWhenDue, keepBackedUp } from './backups.worker.ts'

export const backups: Feature = {
  name: 'backups',
  jobs: [
    // every hour it looks whether one is due, so that a failure is tried again and downtime is caught up
    chore('backups.keep', '33 * * * *', keepBackedUp, { minutes: 12 * 60 }),
    chore('backups.drill', '47 * * * *', drillWhenDue, { minutes: 6 * 60 }),
    backupFigures,
    runsLifetime,
  ],
}
