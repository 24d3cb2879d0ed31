import type { Connection } from '@balcao/contract/connections.ts'
import { NativeSelect, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { RemoveDialog } from '../../ui/list-screen/remove.dialog.tsx'
import { heirOf, removeConnection } from './connections.api.ts'
import { useConnectionText } from './connections.text.ts'

interface Props {
  connection: Connection
  all: Connection[]
  onClose(): void
}

const CLOSED = 'closed'

/** Confirms the deletion of a connection; its tickets go to another, the default one unless chosen, or are closed. */
export function RemoveConnectionDialog({ connection, all, onClose }: Props) {
  const t = useConnectionText()
  const others = all.filter(({ id }) => id !== connection.id)
  const usual = others.find(({ isDefault }) => isDefault)
  const [chosen, setChosen] = useState(usual ? String(usual.id) : CLOSED)
  const { data: heir } = useQuery({
    ...heirOf(connection.id, Number(chosen)),
    enabled: chosen !== CLOSED,
  })
  const isShort = chosen !== CLOSED && heir !== undefined && heir.unreachable > 0
  return (
    <RemoveDialog
      title={t('removeTitle', { name: connection.name })}
      remove={() =>
        removeConnection(connection, chosen === CLOSED ? { closeTickets: true } : { heirId: Number(chosen) })
      }
      onClose={onClose}
    >
      {t('removeHint')}
      <NativeSelect
        mt={12}
        label={t('ticketsGo')}
        description={chosen === CLOSED ? t('ticketsClose') : undefined}
        value={chosen}
        onChange={event => setChosen(event.currentTarget.value)}
        data={[
          ...others.map(({ id, name }) => ({ value: String(id), label: name })),
          { value: CLOSED, label: t('closeThem') },
        ]}
      />
      <Text role="status" size="sm" mt={8}>
        {isShort && t('unreachable', { unreachable: heir.unreachable, tickets: heir.tickets })}
      </Text>
    </RemoveDialog>
  )
}
