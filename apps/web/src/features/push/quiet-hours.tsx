import type { PushSettings } from '@balcao/contract/push.ts'
import { Button, Switch, TextInput } from '@mantine/core'
import { useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { changePushSettings } from './push.api.ts'
import classes from './push.module.css'
import { usePushText } from './push.text.ts'

/** As it is proposed at first. */
const EVENING = '20:00'
const MORNING = '08:00'

/** A time of each day at which nothing is shown. */
export function QuietHours({ settings }: { settings: PushSettings }) {
  const t = usePushText()
  const [from, setFrom] = useState(settings.quietFrom ?? EVENING)
  const [to, setTo] = useState(settings.quietTo ?? MORNING)
  const isOn = settings.quietFrom !== null
  const keep = (next: Pick<PushSettings, 'quietFrom' | 'quietTo'>) =>
    void changePushSettings(next).then(() => notify.done(t('quietSaved')), notify.failed)
  return (
    <>
      <Switch
        label={t('quiet')}
        description={t('quietHint')}
        checked={isOn}
        onChange={event =>
          keep(
            event.currentTarget.checked
              ? { quietFrom: from, quietTo: to }
              : { quietFrom: null, quietTo: null },
          )
        }
      />
      {isOn && (
        <form
          className={classes.times}
          onSubmit={event => {
            event.preventDefault()
            keep({ quietFrom: from, quietTo: to })
          }}
        >
          <TextInput
            type="time"
            label={t('from')}
            value={from}
            onChange={event => setFrom(event.currentTarget.value)}
            required
          />
          <TextInput
            type="time"
            label={t('to')}
            value={to}
            onChange={event => setTo(event.currentTarget.value)}
            required
          />
          <Button
            type="submit"
            variant="default"
            disabled={from === settings.quietFrom && to === settings.quietTo}
          >
            {t('saveQuiet')}
          </Button>
        </form>
      )}
    </>
  )
}
