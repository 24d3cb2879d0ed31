import {
  type Connection,
  connectionChannel,
  connectionDeletedChannel,
  connectionSessionChannel,
} from '@balcao/contract/connections.ts'
import { listen } from '../../platform/live.ts'
import { patchByPush, queryClient } from '../../platform/query.ts'
import { connectionChoices } from './connections.choices.ts'

/** Keeps the cached connections as the server has them. */
export function followConnections(): () => void {
  const change = (make: (all: Connection[]) => Connection[]) =>
    patchByPush<Connection[]>(connectionChoices.queryKey, make)
  const deaf = [
    listen(connectionChannel, ({ whatsapp }) => {
      void announceWhatWorsened(whatsapp)
      change(all => [...all.filter(one => one.id !== whatsapp.id), whatsapp].sort(byName))
    }),
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

/** To admins: others get no `cloud`. */
async function announceWhatWorsened(connection: Connection) {
  const { id, cloud } = connection
  const known = queryClient.getQueryData<Connection[]>(connectionChoices.queryKey)
  const before = known?.find(one => one.id === id)?.cloud
  if (!before || !cloud) return
  const { announceWorse } = await import('../cloud/worse-notice.ts')
  announceWorse(connection, before.health, cloud.health)
}

const byName = (a: Connection, b: Connection) =>
  a.name.toLowerCase().localeCompare(b.name.toLowerCase()) || a.id - b.id
