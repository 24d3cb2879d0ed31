import { type SessionAction, sessionActions } from '@balcao/contract/connections.rules.ts'
import type { Connection, ConnectionStatus } from '@balcao/contract/connections.ts'
import { Button } from '@mantine/core'
import {
  IconCircleCheckFilled,
  IconClockX,
  IconDeviceMobile,
  IconLoader2,
  IconPencil,
  IconPlugConnected,
  IconPlugConnectedX,
  IconQrcode,
  IconTrash,
} from '@tabler/icons-react'
import dayjs from 'dayjs'
import { useState } from 'react'
import { Link } from 'react-router'
import { notify } from '../../platform/notify.tsx'
import { useMay } from '../../platform/session.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Status, type Tone } from '../../ui/status.tsx'
import classes from './connection-table.module.css'
import { endSession, removeConnection, renewSession, startSession } from './connections.api.ts'
import { connectionText } from './connections.text.ts'

interface Props {
  connections: Connection[]
  onEdit(connection: Connection): void
  onQr(connection: Connection): void
}

const looks: Record<ConnectionStatus, { tone: Tone; Icon: typeof IconQrcode }> = {
  CONNECTED: { tone: 'success', Icon: IconPlugConnected },
  DISCONNECTED: { tone: 'error', Icon: IconPlugConnectedX },
  OPENING: { tone: 'info', Icon: IconLoader2 },
  PAIRING: { tone: 'info', Icon: IconLoader2 },
  qrcode: { tone: 'warning', Icon: IconQrcode },
  TIMEOUT: { tone: 'warning', Icon: IconClockX },
}

/** Every connection, how it stands and what can be done about it. */
export function ConnectionTable({ connections, onEdit, onQr }: Props) {
  const t = connectionText()
  const admin = useMay('admin')
  const [asking, setAsking] = useState<{ what: 'disconnect' | 'remove'; connection: Connection } | null>(null)
  const done = () => setAsking(null)
  const confirmed = async ({ what, connection }: NonNullable<typeof asking>) => {
    await (what === 'remove' ? removeConnection(connection) : endSession(connection.id)).catch(notify.failed)
    done()
  }
  return (
    <div className={classes.frame}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th>{t('name')}</th>
            <th>{t('number')}</th>
            <th>{t('status')}</th>
            {admin && <th>{t('session')}</th>}
            <th>{t('updated')}</th>
            <th>{t('isDefault')}</th>
            <th>{t('company')}</th>
            {admin && (
              <th>
                <span className="sr-only">{t('actions')}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {connections.map(connection => (
            <tr key={connection.id} data-connection={connection.name}>
              <td data-label={t('name')}>
                <strong>{connection.name}</strong>
              </td>
              <td data-label={t('number')}>
                {connection.whatsappNumber ? `+${connection.whatsappNumber}` : '—'}
              </td>
              <td data-label={t('status')}>
                <StatusChip status={connection.status} />
              </td>
              {admin && (
                <td data-label={t('session')}>
                  <SessionButtons
                    connection={connection}
                    onQr={onQr}
                    onDisconnect={() => setAsking({ what: 'disconnect', connection })}
                  />
                </td>
              )}
              <td data-label={t('updated')}>{dayjs(connection.updatedAt).format('DD/MM/YYYY HH:mm')}</td>
              <td data-label={t('isDefault')}>
                {connection.isDefault ? (
                  <IconCircleCheckFilled size={18} className={classes.default} aria-label={t('yes')} />
                ) : (
                  '—'
                )}
              </td>
              <td data-label={t('company')}>{connection.company.name}</td>
              {admin && (
                <td className={classes.actions}>
                  {connection.lib === 'simulator' && (
                    <Link
                      to={`/simulator/${connection.id}`}
                      className={classes.phone}
                      title={t('phone')}
                      aria-label={`${t('phone')}: ${connection.name}`}
                      target="_blank"
                    >
                      <IconDeviceMobile size={18} stroke={1.75} />
                    </Link>
                  )}
                  <IconButton label={`${t('edit')}: ${connection.name}`} onClick={() => onEdit(connection)}>
                    <IconPencil size={18} stroke={1.75} />
                  </IconButton>
                  <IconButton
                    label={`${t('remove')}: ${connection.name}`}
                    onClick={() => setAsking({ what: 'remove', connection })}
                  >
                    <IconTrash size={18} stroke={1.75} />
                  </IconButton>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {asking && (
        <Confirm
          title={t(`${asking.what}Title`, { name: asking.connection.name })}
          confirm={t(asking.what)}
          danger
          onClose={done}
          onConfirm={() => void confirmed(asking)}
        >
          {t(`${asking.what}Hint`)}
        </Confirm>
      )}
    </div>
  )
}

function StatusChip({ status }: { status: ConnectionStatus }) {
  const t = connectionText()
  const { tone, Icon } = looks[status]
  return (
    <Status tone={tone} icon={<Icon size={15} stroke={2} aria-hidden />}>
      {t(status)}
    </Status>
  )
}

function SessionButtons({
  connection,
  onQr,
  onDisconnect,
}: {
  connection: Connection
  onQr(connection: Connection): void
  onDisconnect(): void
}) {
  const t = connectionText()
  const { id } = connection
  const act: Record<SessionAction, () => void> = {
    showQr: () => onQr(connection),
    retry: () => void startSession(id).catch(notify.failed),
    newQr: () => void renewSession(id).then(() => onQr(connection), notify.failed),
    disconnect: onDisconnect,
    clean: () => void endSession(id).catch(notify.failed),
  }
  const allowed = sessionActions[connection.status].filter(
    action => connection.lib !== 'simulator' || action !== 'newQr',
  )
  return (
    <span className={classes.session}>
      {allowed.map(action => (
        <Button
          key={action}
          size="xs"
          variant={action === 'showQr' ? 'filled' : 'default'}
          onClick={act[action]}
        >
          {t(action)}
        </Button>
      ))}
    </span>
  )
}
