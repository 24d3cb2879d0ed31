import { Button, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../platform/call.ts'
import { notify } from '../../platform/notify.tsx'
import { useUser } from '../../platform/session.tsx'
import { type DeviceState, deviceState, isApple, isInstalled, notifyHere, notifyNotHere } from './device.ts'
import { Devices } from './devices.tsx'
import { install, mayInstall } from './install.ts'
import { changePushSettings, pushDevices, pushSettings } from './push.api.ts'
import classes from './push.module.css'
import { usePushText } from './push.text.ts'
import { QuietHours } from './quiet-hours.tsx'

/** Part of the preferences: each choice is stored at once. */
export function PushSection() {
  const t = usePushText()
  const { data: settings } = useQuery(pushSettings)
  const choose = (what: Parameters<typeof changePushSettings>[0]) =>
    void changePushSettings(what).catch(notify.failed)
  return (
    <section className={classes.section} aria-label={t('title')}>
      <h3 className={classes.head}>{t('title')}</h3>
      <ThisDevice />
      <fieldset className={classes.about} disabled={!settings}>
        <legend>{t('about')}</legend>
        {(['mine', 'queues', 'mentions'] as const).map(what => (
          <Switch
            key={what}
            label={t(what)}
            checked={settings?.[what] ?? true}
            onChange={event => choose({ [what]: event.currentTarget.checked })}
          />
        ))}
      </fieldset>
      {settings && <QuietHours settings={settings} />}
      <Devices />
      <InstallApp />
    </section>
  )
}

/** The browser is asked by a click only: a page that asks by itself is blocked by many. */
function ThisDevice() {
  const t = usePushText()
  const { id } = useUser()
  const [state, setState] = useState<DeviceState>(deviceState)
  const [busy, setBusy] = useState(false)
  const { data: devices = [] } = useQuery(pushDevices)
  const own = devices.find(one => one.isThis)
  const isOn = state === 'granted' && own !== undefined

  async function toggle() {
    setBusy(true)
    try {
      if (isOn) await notifyNotHere(own.id)
      else setState(await notifyHere(id))
    } catch (error) {
      if (error instanceof ApiError) notify.failed(error)
      else notify.warn(t('failed'))
    }
    setBusy(false)
  }

  if (state === 'denied' || state === 'none' || state === 'install')
    return (
      <p role="status" className={classes.hint}>
        {t(state === 'install' ? 'apple' : state)}
      </p>
    )
  return (
    <>
      <p className={classes.hint}>{t('hint')}</p>
      <div className={classes.row}>
        <span role="status">{t(isOn ? 'isOn' : 'isOff')}</span>
        <Button variant={isOn ? 'default' : 'filled'} size="xs" loading={busy} onClick={() => void toggle()}>
          {t(isOn ? 'turnOff' : 'turnOn')}
        </Button>
      </div>
    </>
  )
}

function InstallApp() {
  const t = usePushText()
  const [isOffered, setOffered] = useState(mayInstall)
  if (isInstalled() || (!isOffered && !isApple())) return null
  return (
    <>
      <h3 className={classes.head}>{t('app')}</h3>
      <p className={classes.hint}>{t(isOffered ? 'installHint' : 'apple')}</p>
      {isOffered && (
        <Button
          variant="default"
          size="xs"
          onClick={() => {
            setOffered(false)
            void install().then(
              isDone => isDone && notify.done(t('installed')),
              error => console.warn('the app is not installed', error),
            )
          }}
        >
          {t('install')}
        </Button>
      )}
    </>
  )
}
