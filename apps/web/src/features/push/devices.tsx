import type { PushDevice } from '@balcao/contract/push.ts'
import { ActionIcon, Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { notify } from '../../platform/notify.tsx'
import { clock } from '../../platform/time.ts'
import { notifyNotHere } from './device.ts'
import { pushDevices, removeDevice, tryNotification } from './push.api.ts'
import classes from './push.module.css'
import { usePushText } from './push.text.ts'

/** The user's devices, of which each can be removed, and tried out. */
export function Devices() {
  const t = usePushText()
  const { data: devices } = useQuery(pushDevices)
  const tryOut = () =>
    void tryNotification().then(count => notify.done(t('tested', { count })), notify.failed)
  if (!devices) return null
  return (
    <>
      <h3 className={classes.head}>{t('devices')}</h3>
      {devices.length === 0 && <p className={classes.hint}>{t('noDevices')}</p>}
      <ul className={classes.devices}>
        {devices.map(device => (
          <Device key={device.id} device={device} />
        ))}
      </ul>
      {devices.length > 0 && (
        <Button variant="default" size="xs" onClick={tryOut}>
          {t('test')}
        </Button>
      )}
    </>
  )
}

function Device({ device: { id, device, endpointHost, isThis, createdAt } }: { device: PushDevice }) {
  const t = usePushText()
  const name = device || endpointHost
  const remove = isThis ? notifyNotHere : removeDevice
  return (
    <li>
      <span>
        {name}
        {isThis && <strong> ({t('thisOne')})</strong>}
        <small>{t('since', { at: clock(createdAt).format('L') })}</small>
      </span>
      <ActionIcon
        variant="subtle"
        aria-label={t('remove', { name })}
        onClick={() => void remove(id).catch(notify.failed)}
      >
        <IconX size={16} stroke={1.75} aria-hidden />
      </ActionIcon>
    </li>
  )
}
