import { type AssignmentInput, assignment } from '@balcao/contract/assignment.ts'
import type { Seen } from '@balcao/contract/edits.rules.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'
import { oneRow } from '../../platform/lists.ts'
import { askAgain } from '../../platform/query.ts'
import { ASSIGNMENTS } from './assignment.live.ts'

/** Queues that give their tickets, and why some wait. */
export const assigningQueues = queryOptions({
  queryKey: [...ASSIGNMENTS, 'all'],
  queryFn: async () => (await call(assignment.list)).assignments,
})

export const oneAssignment = oneRow('assignments', queueId => call(assignment.show, { params: { queueId } }))

/** Throws ApiError. */
export async function saveAssignment(queueId: number, body: AssignmentInput, seen?: Seen): Promise<void> {
  await call(assignment.change, { params: { queueId }, body, seen })
  await askAgain({ queryKey: ASSIGNMENTS })
}
