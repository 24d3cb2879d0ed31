import { queues } from '@balcao/contract/queues.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'

export const queueChoices = queryOptions({ queryKey: ['queues'], queryFn: () => call(queues.list) })
