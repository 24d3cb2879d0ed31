import { within } from '../../platform/events.ts'
import { connectionEmptying } from '../connections/connections.events.ts'
import { contactDeleting } from '../contacts/contacts.events.ts'
import { importStagedJob } from './imports.jobs.ts'
import { dequeueStaged, forgetStaged } from './imports.queries.ts'

export const reacts = [
  within(connectionEmptying, async (tx, { whatsappId, most, taken }) => {
    taken.rows += (await dequeueStaged(tx, whatsappId, most)).length
  }),
  within(contactDeleting, async (tx, { addresses }) => {
    // they may have been the last of an import, which the job then ends
    for (const whatsappId of await forgetStaged(tx, addresses))
      await tx.enqueue(importStagedJob, { whatsappId })
  }),
]
