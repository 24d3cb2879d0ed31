import { within } from '../../platform/events.ts'
import { lastEditAsked, recordChanged } from '../../platform/http/edits.ts'
import { viewerOf } from '../../platform/scope.ts'
import { companyChanged } from '../companies/companies.events.ts'
import {
  administrationWithdrawn,
  authorizationChanged,
  authorizationLeaving,
} from '../permissions/permissions.events.ts'
import { queueChanged, queueLeaving } from '../queues/queues.events.ts'
import { refuseWithoutAdmin } from './users.checks.queries.ts'
import { detachAuthorizationFromUsers, detachQueueFromUsers, notifyOf } from './users.detach.actions.ts'
import { lastEdit, writeEdit } from './users.edits.queries.ts'

export const reacts = [
  within(recordChanged, async (tx, { record }) => {
    await writeEdit(tx, record, viewerOf(tx).id)
  }),
  within(lastEditAsked, async (tx, { record, found }) => {
    const edit = await lastEdit(tx, record)
    if (edit) found.push(edit)
  }),
  within(authorizationLeaving, (tx, { userAuthorizationId }) =>
    detachAuthorizationFromUsers(tx, userAuthorizationId),
  ),
  within(administrationWithdrawn, tx => refuseWithoutAdmin(tx, 'enableAdministration')),
  within(queueLeaving, (tx, { queueId }) => detachQueueFromUsers(tx, queueId)),
  within(authorizationChanged, (tx, { userAuthorization }) =>
    notifyOf(tx, { userAuthorizationId: userAuthorization.id }),
  ),
  within(companyChanged, tx => notifyOf(tx)),
  within(queueChanged, (tx, { queue }) => notifyOf(tx, { queueId: queue.id })),
]
