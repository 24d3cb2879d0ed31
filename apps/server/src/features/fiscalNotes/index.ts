import type { Feature } from '../../platform/features.ts'
import { due } from '../../platform/work/due.ts'
import { chore } from '../../platform/work/jobs.ts'
import { carriedOfFiscalNotes } from './fiscalNotes.carried.queries.ts'
import { notesDue } from './fiscalNotes.queries.ts'
import { routes } from './fiscalNotes.routes.ts'
import { runNotes, wantAllNotes } from './fiscalNotes.worker.ts'

export const fiscalNotes: Feature = {
  name: 'fiscalNotes',
  routes,
  jobs: [
    ...carriedOfFiscalNotes,
    chore('fiscalNotes.want', '* * * * *', wantAllNotes),
    due('fiscalNotes', runNotes, sql => notesDue(sql, 1)),
  ],
}
