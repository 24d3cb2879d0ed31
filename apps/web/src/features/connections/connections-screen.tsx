import type { Connection } from '@balcao/contract/connections.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { reasonText } from '../../platform/errors.text.ts'
import { notify } from '../../platform/notify.tsx'
import { queryClient } from '../../platform/query.ts'
import { useMay } from '../../platform/session.tsx'
import { ListScreen } from '../../ui/list-screen/list-screen.tsx'
import { wholeList } from '../../ui/list-screen/use-list.ts'
import { HealthDialog } from '../cloud/health.dialog.tsx'
import { connectionChoices } from '../tickets/tickets.api.ts'
import { ConnectionDialog } from './connection.dialog.tsx'
import { ConnectionTable } from './connection-table.tsx'
import { useConnectionMenuText } from './connections.menu.text.ts'
import { useConnectionText } from './connections.text.ts'
import { QrDialog } from './qr.dialog.tsx'

type Open = { what: 'qr'; whatsappId: number } | { what: 'health'; whatsappId: number; verifyToken?: string }

const PATH = '/connections'

export default function ConnectionsScreen() {
  const t = useConnectionText()
  const title = useConnectionMenuText()('connections')
  const navigate = useNavigate()
  const { id } = useParams()
  const admin = useMay('admin')
  const list = wholeList(useQuery(connectionChoices))
  const [open, setOpen] = useState<Open | null>(null)
  useFailures(list.rows)
  const edited = list.rows.find(one => one.id === Number(id)) ?? null
  const opened = open && list.rows.find(one => one.id === open.whatsappId)
  const close = () => setOpen(null)
  return (
    <ListScreen path={PATH} title={title} list={list} add={admin ? t('add') : undefined}>
      <ConnectionTable
        list={list}
        onEdit={connection => void navigate(`${PATH}/${connection.id}`)}
        onQr={connection => setOpen({ what: 'qr', whatsappId: connection.id })}
        onHealth={connection => setOpen({ what: 'health', whatsappId: connection.id })}
      />
      {admin && (edited || id === 'new') && (
        <ConnectionDialog
          key={id}
          connection={edited}
          onAdded={({ id }, verifyToken) => setOpen({ what: 'health', whatsappId: id, verifyToken })}
          onClose={() => void navigate(PATH, { replace: true })}
        />
      )}
      {opened && open.what === 'health' && (
        <HealthDialog connection={opened} verifyToken={open.verifyToken} onClose={close} />
      )}
      {opened && open.what === 'qr' && <QrDialog connection={opened} onClose={close} />}
    </ListScreen>
  )
}

const FAILED_SECONDS = 15

/** A session that failed while one looks: 15 seconds in words, then the list is asked for afresh. Never the whole page: somebody may be writing elsewhere by then. */
function useFailures(connections: Connection[]) {
  const t = useConnectionText()
  const known = useRef(new Map<number, string>())
  useEffect(() => {
    for (const { id, name, status, statusReason } of connections) {
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
      setTimeout(
        () => void queryClient.invalidateQueries({ queryKey: ['connections'] }),
        FAILED_SECONDS * 1000,
      )
    }
  }, [connections, t])
}
