import { z } from 'zod'
import { Connection } from './connections.ts'
import { channel, id, route } from './kit.ts'

/** `statusImportMessages` of a connection (OP-77); empty when there is nothing to do. */
export const IMPORTING = 'importing'
export const IMPORTED = 'imported'

export const imports = {
  close: route('POST', '/closedimported/:whatsappId', {
    needs: 'admin',
    summary:
      'Closes the tickets that the import of old messages made on a connection and nobody has taken up.',
    params: z.object({ whatsappId: id }),
    reply: Connection,
  }),
}

/** Progress of an import. Clients fetch the lists again when `this` has reached `all`, and when it was closed. */
export const importChannel = channel(
  'importMessages-{companyId}',
  z.object({
    action: z.enum(['update', 'closed']),
    status: z.object({ this: z.int(), all: z.int(), whatsappId: z.int() }),
  }),
)
