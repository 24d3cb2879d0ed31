import { Switch } from '@mantine/core'
import { savePreference } from '../features/users/users.api.ts'
import { notify } from '../platform/notify.tsx'
import { useSession, useUser, useViewer } from '../platform/session.tsx'
import { texts } from '../platform/text.ts'
import classes from './top-bar.module.css'

export const useGreetingText = texts({ greeting: ['Saudação', 'Greeting', 'Saludo'] })

/** Whether the attendant's greeting is sent with each conversation; groups may hide it. */
export function Greeting() {
  const t = useGreetingText()
  const { isOn, turn } = useGreeting()
  if (useViewer().authorization.disableGreeting) return null
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the switch inside is the control
    <label className={classes.greeting}>
      <span>{t('greeting')}</span>
      <Switch
        aria-label={t('greeting')}
        checked={isOn}
        color="var(--tertiary)"
        onChange={event => turn(event.currentTarget.checked)}
      />
    </label>
  )
}

export function useGreeting() {
  const user = useUser()
  const { update } = useSession()
  const turn = (enableGreeting: boolean) =>
    void savePreference(user, { enableGreeting }).then(update, notify.failed)
  return { isOn: user.enableGreeting, turn }
}
