import { assignment } from '@balcao/contract/assignment.ts'
import { serve } from '../../platform/http/routes.ts'
import { changeAssignment } from './assignment.actions.ts'
import { findAssignment, listAssignments } from './assignment.queries.ts'

export const routes = [
  serve(assignment.list, async scope => ({ assignments: await scope.read(listAssignments) })),
  serve(assignment.show, (scope, { params }) => scope.read(tx => findAssignment(tx, params.queueId))),
  serve(assignment.change, (scope, { params, body }) => changeAssignment(scope, params.queueId, body)),
]
