import { within } from '../../platform/events.ts'
import { queueChanged, queueLeaving } from '../queues/queues.events.ts'
import { connectionNeeded } from '../users/users.events.ts'
import { addConnection, detachQueueFromConnections, emitConnectionChanged } from './connections.actions.ts'
import { connectionsOfQueue } from './connections.queries.ts'

export const reacts = [
  within(
    connectionNeeded,
    async tx => void (await addConnection(tx, { name: 'Principal' }, { demo: false })),
  ),
  within(queueLeaving, (tx, { queueId }) => detachQueueFromConnections(tx, queueId)),
  within(queueChanged, async (tx, { queue }) => {
    for (const whatsappId of await connectionsOfQueue(tx, queue.id))
      await emitConnectionChanged(tx, whatsappId)
  }),
]
