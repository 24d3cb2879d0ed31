import { within } from '../../platform/events.ts'
import { eq } from '../../platform/sql.ts'
import { companyChanged } from '../companies/companies.events.ts'
import {
  administrationWithdrawn,
  authorizationChanged,
  authorizationLeaving,
} from '../permissions/permissions.events.ts'
import { queueChanged, queueLeaving } from '../queues/queues.events.ts'
import { refuseWithoutAdmin } from './users.checks.ts'
import { detachAuthorizationFromUsers, detachQueueFromUsers, tellOf } from './users.leave.ts'
import { inQueue } from './users.queries.ts'
import { users } from './users.table.ts'

export const reacts = [
  within(authorizationLeaving, (tx, { userAuthorizationId }) =>
    detachAuthorizationFromUsers(tx, userAuthorizationId),
  ),
  within(administrationWithdrawn, tx => refuseWithoutAdmin(tx, 'enableAdministration')),
  within(queueLeaving, (tx, { queueId }) => detachQueueFromUsers(tx, queueId)),
  within(authorizationChanged, (tx, { userAuthorization }) =>
    tellOf(tx, eq(users.userAuthorizationId, userAuthorization.id)),
  ),
  within(companyChanged, tx => tellOf(tx)),
  within(queueChanged, (tx, { queue }) => tellOf(tx, inQueue(queue.id))),
]
