import { reports } from '@balcao/contract/reports.ts'
import { serve } from '../../platform/routes.ts'
import { report } from './reports.queries.ts'

export const routes = [
  serve(reports.dash, async (scope, { query: { initialDate, finalDate, currentQueue, currentUser } }) => ({
    reportData: await report(
      scope,
      { initialDate, finalDate, queueIds: listOf(currentQueue), userIds: listOf(currentUser) },
      { queueIds: 'currentQueue', userIds: 'currentUser' },
    ),
  })),
  serve(reports.attendances, async (scope, { query }) => {
    const { initialDate, finalDate, selectedQueueIds: queueIds, selectedUserIds: userIds } = query
    const names = { queueIds: 'selectedQueueIds', userIds: 'selectedUserIds' } as const
    return { reportData: await report(scope, { initialDate, finalDate, queueIds, userIds }, names) }
  }),
]

const listOf = (id: number | null | undefined) => (id ? [id] : [])
