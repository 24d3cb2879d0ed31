import { within } from '../../platform/events.ts'
import { queueLeaving } from '../queues/queues.events.ts'
import { belongingsAsked, credentialsChanged, userDeleting } from '../users/users.events.ts'
import { publishSetup, renewSetupIds } from './campaignSetups.actions.ts'
import { detachQueueFromSetups, moveSetups, setupsOwnedBy } from './campaignSetups.queries.ts'

export const reacts = [
  within(queueLeaving, async (tx, { queueId }) => void (await detachQueueFromSetups(tx, queueId))),
  within(userDeleting, async (tx, { userId, heirId }) => {
    for (const { id } of await moveSetups(tx, userId, heirId)) await publishSetup(tx, 'update', id)
  }),
  within(credentialsChanged, async (tx, { userId, endsSecrets }) => {
    if (endsSecrets) await renewSetupIds(tx, userId)
  }),
  within(belongingsAsked, async (tx, { userId, found }) => {
    found.push({ kind: 'campaignSetups', ...(await setupsOwnedBy(tx, userId)) })
  }),
]
