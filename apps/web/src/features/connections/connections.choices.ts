import { connections } from '@balcao/contract/connections.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'

export const connectionChoices = queryOptions({
  queryKey: ['connections'],
  queryFn: () => call(connections.list),
})
