import type { Connection } from '@balcao/contract/connections.ts'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useParams } from 'react-router'
import { reasonText } from '../../platform/errors.text.ts'
import { notify } from '../../platform/notify.tsx'
import { queryClient } from '../../platform/query.ts'
import { useMay } from '../../platform/session.tsx'
import { useGoTo } from '../../ui/go-to.ts'
import { ListScreen } from '../../ui/list-screen/list-screen.tsx'
import { wholeList } from '../../ui/list-screen/use-list.ts'
import { HealthDialog } from '../cloud/health.dialog.tsx'
import { SignUpReturn } from '../cloud/sign-up.tsx'
import { ConnectionDialog } from './connection.dialog.tsx'
import { ConnectionTable } from './connection-table.tsx'
import { startSession } from './connections.api.ts'
import { connectionChoices } from './connections.choices.ts'
import { useConnectionMenuText } from './connections.menu.text.ts'
import { useQrText } from './connections.qr.text.ts'
import { useConnectionText } from './connections.text.ts'
import { FallsDialog } from './falls.dialog.tsx'
import { QrDialog } from './qr.dialog.tsx'

type Open =
  | { what: 'qr' | 'falls'; whatsappId: number }
  | { what: 'health'; whatsappId: number; verifyToken?: string }

const PATH = '/connections'

export default function ConnectionsScreen() {
  const t = useConnectionText()
  const title = useConnectionMenuText()('connections')
  const goTo = useGoTo()
  const { id } = useParams()
  const admin = useMay('admin')
  const list = wholeList(useQuery(connectionChoices))
  const [open, setOpen] = useState<Open | null>(null)
  useFailures(list.rows)
  const pairing = usePaired(list.rows)
  const show = (whatsappId: number) => {
    pairing.add(whatsappId)
    setOpen({ what: 'qr', whatsappId })
  }
  const edited = list.rows.find(one => one.id === Number(id)) ?? null
  const opened = open && list.rows.find(one => one.id === open.whatsappId)
  const close = () => setOpen(null)
  const showHealth = useCallback((whatsappId: number) => setOpen({ what: 'health', whatsappId }), [])
  return (
    <ListScreen path={PATH} title={title} list={list} add={admin ? t('add') : undefined}>
      {admin && <SignUpReturn onDone={showHealth} />}
      <ConnectionTable
        list={list}
        onEdit={connection => goTo(`${PATH}/${connection.id}`)}
        onQr={connection => show(connection.id)}
        onHealth={connection => setOpen({ what: 'health', whatsappId: connection.id })}
        onFalls={connection => setOpen({ what: 'falls', whatsappId: connection.id })}
      />
      {admin && (edited || id === 'new') && (
        <ConnectionDialog
          key={id}
          connection={edited}
          onAdded={(added, verifyToken) => {
            if (added.cloud) setOpen({ what: 'health', whatsappId: added.id, verifyToken })
            if (added.lib !== 'baileys') return
            show(added.id)
            void startSession(added.id).catch(notify.failed)
          }}
          onClose={() => goTo(PATH, { replace: true })}
        />
      )}
      {opened && open.what === 'health' && (
        <HealthDialog connection={opened} verifyToken={open.verifyToken} onClose={close} />
      )}
      {opened && open.what === 'falls' && <FallsDialog connection={opened} onClose={close} />}
      {opened && open.what === 'qr' && <QrDialog connection={opened} onClose={close} />}
    </ListScreen>
  )
}

/** Connections whose code was shown here; once connected, the next step is shown. */
function usePaired(connections: Connection[]): Set<number> {
  const t = useQrText()
  const [pairing] = useState(() => new Set<number>())
  useEffect(() => {
    for (const { id, name, status } of connections)
      if (status === 'CONNECTED' && pairing.delete(id)) notify.done(t('ready', { name }))
  }, [connections, pairing, t])
  return pairing
}

const FAILED_SECONDS = 15

/**
 * A session that failed while it is watched: shown for 15 seconds, then the list is refetched. Never reload
 * the page: the user may be writing elsewhere by then.
 */
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
      notify.warn(t('sessionFailed', { name, reason: reasonText(statusReason) }), {
        seconds: FAILED_SECONDS,
        id: `fell ${id}`,
      })
      setTimeout(
        () => void queryClient.invalidateQueries({ queryKey: ['connections'] }),
        FAILED_SECONDS * 1000,
      )
    }
  }, [connections, t])
}
