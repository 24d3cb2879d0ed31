import { queueChannel } from '@balcao/contract/queues.ts'
import { followList } from '../../platform/lists.ts'
import { listen } from '../../platform/live.ts'
import { queryClient } from '../../platform/query.ts'

/** Pickers refetch the queues; lists show the tickets' queues as they are now. */
export function followQueues(): () => void {
  const stops = [
    followList(queueChannel, ['queues']),
    listen(queueChannel, push => {
      if (push.action === 'update') void queryClient.invalidateQueries({ queryKey: ['tickets'] })
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
