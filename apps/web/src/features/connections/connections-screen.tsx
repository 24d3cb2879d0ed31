import type { Connection } from '@balcao/contract/connections.ts'
import { Button } from '@mantine/core'
import { IconPlugConnected, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { reasonText } from '../../platform/errors.text.ts'
import { notify } from '../../platform/notify.tsx'
import { useMay } from '../../platform/session.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Page } from '../../ui/page.tsx'
import { HealthDialog } from '../cloud/health.dialog.tsx'
import { connectionChoices } from '../tickets/tickets.api.ts'
import { ConnectionDialog } from './connection.dialog.tsx'
import { ConnectionTable } from './connection-table.tsx'
import { connectionMenuText } from './connections.menu.text.ts'
import { connectionText } from './connections.text.ts'
import { QrDialog } from './qr.dialog.tsx'

type Open =
  | { what: 'edit'; connection: Connection | null }
  | { what: 'qr'; whatsappId: number }
  | { what: 'health'; whatsappId: number; verifyToken?: string }

export default function ConnectionsScreen() {
  const t = connectionText()
  const inMenu = connectionMenuText()
  const admin = useMay('admin')
  const { data: connections } = useQuery(connectionChoices)
  const [open, setOpen] = useState<Open | null>(null)
  useFailures(connections)
  const watched = open?.what === 'health' && connections?.find(one => one.id === open.whatsappId)
  const scanned = open?.what === 'qr' && connections?.find(one => one.id === open.whatsappId)
  return (
    <Page
      title={inMenu('connections')}
      actions={
        admin && (
          <Button
            leftSection={<IconPlus size={16} />}
            onClick={() => setOpen({ what: 'edit', connection: null })}
          >
            {t('add')}
          </Button>
        )
      }
    >
      {connections?.length === 0 && (
        <Empty icon={<IconPlugConnected size={26} />} title={t('none')}>
          {t('noneHint')}
        </Empty>
      )}
      {connections && connections.length > 0 && (
        <ConnectionTable
          connections={connections}
          onEdit={connection => setOpen({ what: 'edit', connection })}
          onQr={connection => setOpen({ what: 'qr', whatsappId: connection.id })}
          onHealth={connection => setOpen({ what: 'health', whatsappId: connection.id })}
        />
      )}
      {open?.what === 'edit' && (
        <ConnectionDialog
          connection={open.connection}
          onAdded={({ id }, verifyToken) => setOpen({ what: 'health', whatsappId: id, verifyToken })}
          onClose={() => setOpen(null)}
        />
      )}
      {open?.what === 'health' && watched && (
        <HealthDialog connection={watched} verifyToken={open.verifyToken} onClose={() => setOpen(null)} />
      )}
      {scanned && <QrDialog connection={scanned} onClose={() => setOpen(null)} />}
    </Page>
  )
}

const FAILED_SECONDS = 15

/** A session that failed while one looks: 15 seconds in words, then the page is loaded afresh. */
function useFailures(connections: Connection[] | undefined) {
  const t = connectionText()
  const known = useRef(new Map<number, string>())
  useEffect(() => {
    for (const { id, name, status, statusReason } of connections ?? []) {
      const before = known.current.get(id)
      known.current.set(id, statusReason)
      if (
        before === undefined ||
        before === statusReason ||
        !statusReason ||
        status === 'CONNECTED' ||
        status === 'OPENING'
      )
        continue
      notify.warn(t('sessionFailed', { name, reason: reasonText(statusReason) }), { seconds: FAILED_SECONDS })
      setTimeout(() => location.reload(), FAILED_SECONDS * 1000)
    }
  }, [connections, t])
}
