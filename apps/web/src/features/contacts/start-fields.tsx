import { may } from '@balcao/contract/permissions.rules.ts'
import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useUser, useViewer } from '../../platform/session.tsx'
import { connectionChoices } from '../connections/connections.choices.ts'
import { useStartText } from './contacts.start.text.ts'

/** In which queue and over which connection a conversation starts. */
export function useStartFields() {
  const { queues } = useUser()
  const [queue, setQueue] = useState(queues.length === 1 ? String(queues[0]!.id) : '')
  const [connection, setConnection] = useState('')
  const mayBeWithoutQueue = may(useViewer(), 'tickets:showAll')
  const chosen = { queueId: Number(queue) || null, whatsappId: Number(connection) || null }
  return { queue, setQueue, connection, setConnection, mayBeWithoutQueue, ...chosen }
}

export function StartFields({
  queue,
  setQueue,
  connection,
  setConnection,
}: Pick<ReturnType<typeof useStartFields>, 'queue' | 'setQueue' | 'connection' | 'setConnection'>) {
  const t = useStartText()
  const { queues } = useUser()
  const { data: connections = [] } = useQuery(connectionChoices)
  return (
    <>
      <NativeSelect
        label={t('queue')}
        value={queue}
        onChange={event => setQueue(event.currentTarget.value)}
        data={[
          { value: '', label: t('chooseQueue') },
          ...queues.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
      />
      <NativeSelect
        label={t('connection')}
        value={connection}
        onChange={event => setConnection(event.currentTarget.value)}
        data={[
          { value: '', label: t('defaultConnection') },
          ...connections.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
      />
    </>
  )
}
