import { underMark, unmarked } from '@balcao/contract/marks.rules.ts'
import { markChannel } from '@balcao/contract/marks.ts'
import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { viewChannel } from '@balcao/contract/views.ts'
import { listen } from '../../platform/live.ts'
import { patch, queryClient } from '../../platform/query.ts'
import { applied, type CachedList, type Searched } from './tickets.cache.ts'

const LISTS = ['tickets', 'list']
export const VIEWS = ['views']
/** Followed tickets in which something is new. */
export const NEWS = ['tickets', 'news']

/** Marks of this user, set here or on another screen, and the views that this user has. */
export function followMarks(viewer: Viewer): () => void {
  // a mark that was put before may be pushed behind the deletion
  const removed = new Set<number>()
  const stops = [
    listen(markChannel, push => {
      if ('removed' in push) {
        removed.add(push.removed)
        patch<CachedList>(LISTS, loaded => ({ ...loaded, ...unmarked(loaded, push.removed) }))
        void queryClient.invalidateQueries({ queryKey: NEWS })
      } else if ('news' in push) void queryClient.invalidateQueries({ queryKey: NEWS })
      else if (!removed.has(push.ticket.id)) applyMarked(push.ticket, viewer)
    }),
    listen(viewChannel, () => void queryClient.invalidateQueries({ queryKey: VIEWS })),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

/** Every cached list and ticket has the mark; a list that is being fetched may have been read before it. */
export function applyMarked(marked: Ticket, viewer: Viewer) {
  const isFetching = queryClient.isFetching({ queryKey: LISTS }) > 0
  patch<CachedList>(LISTS, (loaded, key) => {
    const { ticket, ...rest } = underMark(loaded, marked)
    return applied({ ...loaded, ...rest }, { action: 'update', ticket }, viewer, key[2] as Searched)
  })
  const { id, following, pinned } = marked
  patch<Ticket>(['tickets', 'one', id], known => ({ ...known, following, pinned }))
  if (isFetching) void queryClient.invalidateQueries({ queryKey: LISTS })
}

/** The viewer's marks, as the list that was fetched last has them. */
export const marksHere = () =>
  queryClient.getQueriesData<CachedList>({ queryKey: LISTS }).findLast(([, list]) => list?.marks)?.[1]?.marks
