import type { KeyPair } from 'baileys'
import type { ClientSocket } from './client-socket.ts'
import type { Directory } from './directory.ts'
import type { FaultState } from './faults.ts'
import type { Group } from './groups.ts'
import type { MediaHost } from './media-host.ts'
import type { BinaryNode } from './nodes.ts'
import type { Order } from './orders.ts'
import type { Tally } from './tally.ts'

/** A stanza that the server has no answer for; tests assert that there was none. */
export interface Unknown {
  from: string
  stanza: BinaryNode
}

/** What every part of one server shares. */
export interface State {
  directory: Directory
  groups: Map<string, Group>
  orders: Map<string, Order>
  media: MediaHost
  faults: FaultState
  /** Clients are to make few one-time keys, which is most of the work of pairing. */
  fewKeys: boolean
  tally: Tally
  unknown: Unknown[]
  sockets: Set<ClientSocket>
  staticKey: KeyPair
  certificate: Uint8Array
  /** Failures inside the server itself; none may stay unseen. */
  errors: Error[]
}
