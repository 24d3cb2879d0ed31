import { cloud } from '@balcao/contract/cloud.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'

/** Templates: all that may be sent to a customer who has been silent for a day. */
export const templatesOf = (whatsappId: number) =>
  queryOptions({
    queryKey: ['cloud', 'templates', whatsappId],
    queryFn: ({ signal }) => call(cloud.templates, { params: { whatsappId }, signal }),
    staleTime: 60_000,
  })
