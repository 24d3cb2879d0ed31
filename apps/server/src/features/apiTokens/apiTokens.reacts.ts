import { within } from '../../platform/events.ts'
import { connectionLeaving } from '../connections/connections.events.ts'
import { queueLeaving } from '../queues/queues.events.ts'
import { belongingsAsked, credentialsChanged, userDeleting } from '../users/users.events.ts'
import { bequeathTokens, endTokens, releaseTokens } from './apiTokens.actions.ts'
import { tokenNamesOf } from './apiTokens.queries.ts'

export const reacts = [
  within(queueLeaving, (tx, { queueId }) => releaseTokens(tx, { queueId })),
  within(userDeleting, (tx, { userId, heirId }) => bequeathTokens(tx, userId, heirId)),
  within(credentialsChanged, async (tx, { userId, endsSecrets }) => {
    if (endsSecrets) await endTokens(tx, userId)
  }),
  within(belongingsAsked, async (tx, { userId, found }) => {
    found.push({ kind: 'apiTokens', ...(await tokenNamesOf(tx, userId)) })
  }),
  within(connectionLeaving, (tx, { whatsappId }) => releaseTokens(tx, { whatsappId })),
]
