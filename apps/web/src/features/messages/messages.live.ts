import { messageChannel } from '@balcao/contract/messages.ts'
import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import { listen } from '../../platform/live.ts'
import { queryClient } from '../../platform/query.ts'
import { type CachedThread, heardIn, messageNews } from './messages.cache.ts'

/** Keeps every cached conversation as the server has it. */
export const followMessages = (viewer: Viewer): (() => void) =>
  listen(messageChannel, push => {
    messageNews.keep(push)
    for (const [key] of queryClient.getQueriesData<CachedThread>({ queryKey: ['messages'] }))
      queryClient.setQueryData<CachedThread>(key, thread => thread && heardIn(thread, push, viewer))
  })
