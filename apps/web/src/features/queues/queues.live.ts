import { queueChannel } from '@balcao/contract/queues.ts'
import { listen } from '../../platform/live.ts'
import { queryClient } from '../../platform/query.ts'

/** A queue was added, renamed or removed: pickers ask again, and lists show the tickets' queues as they are. */
export const followQueues = (): (() => void) =>
  listen(queueChannel, push => {
    void queryClient.invalidateQueries({ queryKey: ['queues'] })
    if (push.action === 'update') void queryClient.invalidateQueries({ queryKey: ['tickets'] })
  })
