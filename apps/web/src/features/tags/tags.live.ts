import { tagChannel } from '@balcao/contract/tags.ts'
import { followList } from '../../platform/lists.ts'
import { listen } from '../../platform/live.ts'
import { queryClient } from '../../platform/query.ts'

export const TAGS = ['tags']

/** Lists and pickers refetch; where a tag was deleted the list is emptied and reloaded (OP-28). */
export function followTags(): () => void {
  const stops = [
    followList(tagChannel, TAGS),
    listen(tagChannel, push => {
      if (push.action === 'delete') void queryClient.resetQueries({ queryKey: [...TAGS, 'list'] })
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
