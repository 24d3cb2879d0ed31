import {
  connectionChannel,
  connectionDeletedChannel,
  connectionSessionChannel,
} from '@balcao/contract/connections.ts'
import { admins, everyone, notAdmins, publish } from '../../platform/live/live.ts'
import { connectionChanged, connectionRemoved, sessionChanged } from './connections.events.ts'
import { hidden, opened } from './connections.rules.ts'

/** Everyone gets the state of a connection; pairing codes are for admins only. */
export const live = [
  publish(connectionChanged, (companyId, connection, push, { secrets }) => {
    const whatsapp = opened(companyId, secrets, connection)
    push(connectionChannel, admins(companyId), { action: 'update', whatsapp })
    push(connectionChannel, notAdmins(companyId), { action: 'update', whatsapp: hidden(connection) })
  }),
  publish(sessionChanged, (companyId, sealed, push, { secrets }) => {
    const session = opened(companyId, secrets, sealed)
    push(connectionSessionChannel, admins(companyId), { action: 'update', session })
    push(connectionSessionChannel, notAdmins(companyId), { action: 'update', session: hidden(sealed) })
  }),
  publish(connectionRemoved, (companyId, { whatsappId }, push) =>
    push(connectionDeletedChannel, everyone(companyId), { action: 'delete', whatsappId }),
  ),
]
