import { reports } from '@balcao/contract/reports.ts'
import { serve } from '../../platform/routes.ts'
import { askPlan } from '../companies/companies.queries.ts'
import { report } from './reports.queries.ts'

export const routes = [
  serve(reports.dash, async (scope, { query: { initialDate, finalDate, currentQueue, currentUser } }) => {
    await scope.read(tx => askPlan(tx, 'enableDashboard'))
    const chosen = { initialDate, finalDate, queueIds: listOf(currentQueue), userIds: listOf(currentUser) }
    const names = { queueIds: 'currentQueue', userIds: 'currentUser' } as const
    return { reportData: await report(scope, chosen, names) }
  }),
  serve(reports.attendances, async (scope, { query }) => {
    await scope.read(tx => askPlan(tx, 'enableReports'))
    const { initialDate, finalDate, selectedQueueIds: queueIds, selectedUserIds: userIds } = query
    const names = { queueIds: 'selectedQueueIds', userIds: 'selectedUserIds' } as const
    return { reportData: await report(scope, { initialDate, finalDate, queueIds, userIds }, names) }
  }),
]

const listOf = (id: number | null | undefined) => (id ? [id] : [])
