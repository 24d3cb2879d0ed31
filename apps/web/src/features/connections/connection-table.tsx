import { type CloudTrouble, troublesOf } from '@balcao/contract/cloud.standing.rules.ts'
import { isRestricted, type SessionAction, sessionActions } from '@balcao/contract/connections.rules.ts'
import type { Connection, ConnectionStatus } from '@balcao/contract/connections.ts'
import { Button } from '@mantine/core'
import {
  IconActivityHeartbeat,
  IconAlertTriangle,
  IconCircleCheckFilled,
  IconClockX,
  IconDeviceMobile,
  IconHistory,
  IconLoader2,
  IconMessageOff,
  IconPencil,
  IconPlugConnected,
  IconPlugConnectedX,
  IconQrcode,
  IconTrash,
  IconZzz,
} from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { reasonText } from '../../platform/errors.text.ts'
import { notify } from '../../platform/notify.tsx'
import { phoneText } from '../../platform/phone.ts'
import { useMay } from '../../platform/session.tsx'
import { clock } from '../../platform/time.ts'
import { Confirm } from '../../ui/dialog.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { NoRows } from '../../ui/list-screen/list-states.tsx'
import type { wholeList } from '../../ui/list-screen/use-list.ts'
import { Status, type Tone } from '../../ui/status.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { QualityMark } from '../cloud/quality-mark.tsx'
import { TroubleMark } from '../cloud/trouble-mark.tsx'
import { ImportState } from '../imports/import-state.tsx'
import classes from './connection-table.module.css'
import { endSession, renewSession, startSession } from './connections.api.ts'
import { remedyOf, useFallText } from './connections.falls.text.ts'
import { useConnectionMenuText } from './connections.menu.text.ts'
import { useConnectionText } from './connections.text.ts'
import { RemoveConnectionDialog } from './remove-connection.dialog.tsx'

interface Props {
  list: ReturnType<typeof wholeList<Connection>>
  onEdit(connection: Connection): void
  onQr(connection: Connection): void
  onHealth(connection: Connection): void
  onFalls(connection: Connection): void
}

const looks: Record<ConnectionStatus, { tone: Tone; Icon: typeof IconQrcode }> = {
  CONNECTED: { tone: 'success', Icon: IconPlugConnected },
  DISCONNECTED: { tone: 'error', Icon: IconPlugConnectedX },
  OPENING: { tone: 'info', Icon: IconLoader2 },
  PAIRING: { tone: 'info', Icon: IconLoader2 },
  REMOVING: { tone: 'info', Icon: IconLoader2 },
  qrcode: { tone: 'warning', Icon: IconQrcode },
  TIMEOUT: { tone: 'warning', Icon: IconClockX },
}

/** Every connection, its state and its actions. */
export function ConnectionTable({ list, onEdit, onQr, onHealth, onFalls }: Props) {
  const t = useConnectionText()
  const inMenu = useConnectionMenuText()
  const admin = useMay('admin')
  const [asking, setAsking] = useState<{ what: 'disconnect' | 'remove'; connection: Connection } | null>(null)
  const done = () => setAsking(null)
  const disconnected = async ({ id }: Connection) => {
    await endSession(id).catch(notify.failed)
    done()
  }
  const remove = (connection: Connection) => setAsking({ what: 'remove', connection })
  const columns: Column<Connection>[] = [
    { key: 'name', head: t('name'), cell: one => one.name },
    { key: 'number', head: t('number'), cell: one => phoneText(one.whatsappNumber) },
    { key: 'status', head: t('status'), cell: one => <State connection={one} /> },
    { key: 'updated', head: t('updated'), cell: one => clock(one.updatedAt).format('L LT') },
    { key: 'isDefault', head: t('isDefault'), cell: one => one.isDefault && <DefaultMark /> },
    { key: 'company', head: t('company'), cell: one => one.company.name },
  ]
  if (admin) {
    const disconnect = (connection: Connection) => setAsking({ what: 'disconnect', connection })
    const session = (one: Connection) => (
      <SessionButtons connection={one} onQr={onQr} onDisconnect={() => disconnect(one)} />
    )
    const actions = (one: Connection) => (
      <RowActions connection={one} onEdit={onEdit} onHealth={onHealth} onFalls={onFalls} onRemove={remove} />
    )
    columns.splice(3, 0, { key: 'session', head: t('session'), cell: session })
    columns.push({ key: 'actions', head: t('actions'), kind: 'actions', cell: actions })
  }
  return (
    <>
      <Table
        label={inMenu('connections')}
        columns={columns}
        rows={list.rows}
        keyOf={one => one.id}
        paging={list}
        empty={
          <NoRows list={list} icon={<IconPlugConnected size={26} />} title={t('none')} hint={t('noneHint')} />
        }
        mark={one => ({ 'data-connection': one.name })}
      />
      {asking?.what === 'disconnect' && (
        <Confirm
          title={t('disconnectTitle', { name: asking.connection.name })}
          confirm={t('disconnect')}
          danger
          onClose={done}
          onConfirm={() => void disconnected(asking.connection)}
        >
          {t('disconnectHint')}
        </Confirm>
      )}
      {asking?.what === 'remove' && (
        <RemoveConnectionDialog connection={asking.connection} all={list.rows} onClose={done} />
      )}
    </>
  )
}

function DefaultMark() {
  const t = useConnectionText()
  return <IconCircleCheckFilled size={18} className={classes.default} aria-label={t('yes')} />
}

interface RowActionsProps {
  connection: Connection
  onEdit(connection: Connection): void
  onHealth(connection: Connection): void
  onFalls(connection: Connection): void
  onRemove(connection: Connection): void
}

function RowActions({ connection, onEdit, onHealth, onFalls, onRemove }: RowActionsProps) {
  const t = useConnectionText()
  const ofFalls = useFallText()
  const { id, name, lib } = connection
  return (
    <span className={classes.actions}>
      {lib === 'simulator' && (
        <Link
          to={`/simulator/${id}`}
          className={classes.phone}
          title={t('phone')}
          aria-label={`${t('phone')}: ${name}`}
          target="_blank"
        >
          <IconDeviceMobile size={18} stroke={1.75} />
        </Link>
      )}
      {connection.cloud && (
        <IconButton label={`${t('health')}: ${name}`} onClick={() => onHealth(connection)}>
          <IconActivityHeartbeat size={18} stroke={1.75} />
        </IconButton>
      )}
      <IconButton label={`${ofFalls('history')}: ${name}`} onClick={() => onFalls(connection)}>
        <IconHistory size={18} stroke={1.75} />
      </IconButton>
      <IconButton label={`${t('edit')}: ${name}`} onClick={() => onEdit(connection)}>
        <IconPencil size={18} stroke={1.75} />
      </IconButton>
      <IconButton label={`${t('remove')}: ${name}`} onClick={() => onRemove(connection)}>
        <IconTrash size={18} stroke={1.75} />
      </IconButton>
    </span>
  )
}

/** Its state, the reason if it is down, and Meta's quality rating of a number of its API. */
function State({ connection }: { connection: Connection }) {
  const t = useFallText()
  const { status, statusReason, statusUntil, restrictedUntil, restingSince, cloud } = connection
  const remedy = cloud ? undefined : remedyOf(statusReason)
  const troubles = cloud ? troublesOf(cloud.health, Date.now()).filter(one => !isOfQuality(one)) : []
  const quality = cloud?.health.quality ?? ''
  return (
    <span className={classes.state}>
      <StatusChip status={status} />
      {restingSince && (
        <>
          <Status tone="warning" icon={<IconZzz size={15} stroke={2} aria-hidden />}>
            {t('resting')}
          </Status>
          <span className={classes.reason}>{t('restingHint')}</span>
        </>
      )}
      {status !== 'CONNECTED' && statusReason && (
        <span className={classes.reason}>
          {reasonText(statusReason)}
          {remedy && `. ${t(remedy)}`}
        </span>
      )}
      {status === 'CONNECTED' && statusReason && (
        <Status tone="warning" icon={<IconAlertTriangle size={15} stroke={2} aria-hidden />}>
          {reasonText(statusReason)}
        </Status>
      )}
      {statusUntil && (
        <span className={classes.reason}>{t('comesBackAt', { at: clock(statusUntil).format('L LT') })}</span>
      )}
      {restrictedUntil && isRestricted(connection, Date.now()) && (
        <>
          <Status tone="warning" icon={<IconMessageOff size={15} stroke={2} aria-hidden />}>
            {t('restrictedUntil', { at: clock(restrictedUntil).format('L LT') })}
          </Status>
          <span className={classes.reason}>{t('restrictedHint')}</span>
        </>
      )}
      {status === 'CONNECTED' && (quality === 'YELLOW' || quality === 'RED') && (
        <QualityMark quality={quality} />
      )}
      {troubles.map(trouble => (
        <TroubleMark key={trouble} trouble={trouble} />
      ))}
    </span>
  )
}

/** Shown by the mark of the quality. */
const isOfQuality = (trouble: CloudTrouble) => trouble === 'qualityLow' || trouble === 'qualityMedium'

function StatusChip({ status }: { status: ConnectionStatus }) {
  const t = useConnectionText()
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
  const t = useConnectionText()
  const { id } = connection
  const act: Record<SessionAction, () => void> = {
    showQr: () => onQr(connection),
    retry: () => void startSession(id).catch(notify.failed),
    newQr: () => void renewSession(id).then(() => onQr(connection), notify.failed),
    disconnect: onDisconnect,
    clean: () => void endSession(id).catch(notify.failed),
  }
  const allowed = sessionActions[connection.status].filter(
    action => connection.lib === 'baileys' || action !== 'newQr',
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
      <ImportState connection={connection} />
    </span>
  )
}
