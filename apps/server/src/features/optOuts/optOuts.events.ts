import type { Push } from '@balcao/contract/kit.ts'
import type { optOutChannel } from '@balcao/contract/optOuts.ts'
import { event } from '../../platform/events.ts'

export const optOutChanged = event<Push<typeof optOutChannel>>('optOut.changed')

/** A contact sent a stop word; in the commit that inserts the message. */
export const contactOptedOut = event<{ contactId: number; whatsappId: number | null }>('optOut.said')
