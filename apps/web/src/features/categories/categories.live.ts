import { categoryChannel } from '@balcao/contract/categories.ts'
import { followList } from '../../platform/lists.ts'
import { listen } from '../../platform/live.ts'
import { queryClient } from '../../platform/query.ts'

export const CATEGORIES = ['categoryContact']

/** A deletion empties the list, which reloads its first page (OP-28); contacts show their current labels. */
export function followCategories(): () => void {
  const stops = [
    followList(categoryChannel, CATEGORIES),
    followList(categoryChannel, ['contacts']),
    listen(categoryChannel, push => {
      if (push.action === 'delete') void queryClient.resetQueries({ queryKey: [...CATEGORIES, 'list'] })
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
