import { importChannel } from '@balcao/contract/imports.ts'
import { listen } from '../../platform/live.ts'
import { queryClient } from '../../platform/query.ts'

export interface Progress {
  this: number
  all: number
}

export const progressKey = (whatsappId: number) => ['imports', whatsappId]

/** Nobody is told of each ticket an import makes: the lists are fetched again when it has come to an end. */
export const followImports = () =>
  listen(importChannel, ({ action, status }) => {
    queryClient.setQueryData<Progress>(progressKey(status.whatsappId), status)
    if (action === 'closed' || status.this === status.all)
      void queryClient.invalidateQueries({ queryKey: ['tickets', 'list'] })
  })
