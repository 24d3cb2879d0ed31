import { importChannel } from '@balcao/contract/imports.ts'
import { listen } from '../../platform/live.ts'
import { queryClient } from '../../platform/query.ts'

export interface Progress {
  this: number
  all: number
}

export const progressKey = (whatsappId: number) => ['imports', whatsappId]

/** Tickets made by an import are not pushed: the lists are refetched when it ends. */
export const followImports = () =>
  listen(importChannel, ({ action, status }) => {
    queryClient.setQueryData<Progress>(progressKey(status.whatsappId), status)
    if (action === 'closed' || status.this === status.all)
      void queryClient.invalidateQueries({ queryKey: ['tickets', 'list'] })
  })
