import { Switch } from '@mantine/core'
import { savePreference } from '../features/users/users.api.ts'
import { notify } from '../platform/notify.tsx'
import { useSession, useUser, useViewer } from '../platform/session.tsx'
import { texts } from '../platform/text.ts'
import classes from './top-bar.module.css'

const useText = texts({ greeting: ['Saudação', 'Greeting', 'Saludo'] })

/** Whether the attendant's greeting is sent with each conversation; groups may hide it. */
export function Greeting() {
  const t = useText()
  const user = useUser()
  const { update } = useSession()
  if (useViewer().authorization.disableGreeting) return null
  const toggle = (enableGreeting: boolean) =>
    savePreference(user, { enableGreeting }).then(update, notify.failed)
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the switch inside is the control
    <label className={classes.greeting}>
      <span>{t('greeting')}</span>
      <Switch
        aria-label={t('greeting')}
        checked={user.enableGreeting}
        color="var(--tertiary)"
        onChange={event => void toggle(event.currentTarget.checked)}
      />
    </label>
  )
}
