import {
  type Connection,
  connectionChannel,
  connectionDeletedChannel,
  connectionSessionChannel,
} from '@balcao/contract/connections.ts'
import { listen } from '../../platform/live.ts'
import { patchByPush } from '../../platform/query.ts'
import { connectionChoices } from './connections.choices.ts'

/** Keeps the cached connections as the server has them. */
export function followConnections(): () => void {
  const change = (make: (all: Connection[]) => Connection[]) =>
    patchByPush<Connection[]>(connectionChoices.queryKey, make)
  const deaf = [
    listen(connectionChannel, ({ whatsapp }) =>
      change(all => [...all.filter(one => one.id !== whatsapp.id), whatsapp].sort(byName)),
    ),
    listen(connectionDeletedChannel, ({ whatsappId }) =>
      change(all => all.filter(one => one.id !== whatsappId)),
    ),
    listen(connectionSessionChannel, ({ session }) =>
      change(all => all.map(one => (one.id === session.id ? { ...one, ...session } : one))),
    ),
  ]
  return () => {
    for (const stop of deaf) stop()
  }
}

const byName = (a: Connection, b: Connection) =>
  a.name.toLowerCase().localeCompare(b.name.toLowerCase()) || a.id - b.id
