import type { Push } from '@balcao/contract/kit.ts'
import type { optOutChannel } from '@balcao/contract/optOuts.ts'
import { event } from '../../platform/events.ts'

export const optOutChanged = event<Push<typeof optOutChannel>>('optOut.changed')

/** A contact wrote a stop word; within the commit that writes it down. */
export const contactOptedOut = event<{ contactId: number; whatsappId: number | null }>('optOut.said')
