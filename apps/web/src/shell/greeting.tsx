import { Menu, Switch } from '@mantine/core'
import { IconCheck, IconMessageHeart } from '@tabler/icons-react'
import { savePreference } from '../features/users/users.api.ts'
import { notify } from '../platform/notify.tsx'
import { useSession, useUser, useViewer } from '../platform/session.tsx'
import { texts } from '../platform/text.ts'
import classes from './top-bar.module.css'

const useText = texts({ greeting: ['Saudação', 'Greeting', 'Saludo'] })

/** Whether the attendant's greeting is sent with each conversation; groups may hide it. */
export function Greeting() {
  const t = useText()
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

/** The same in a menu, where the top bar has no room for a switch with its name. */
export function GreetingItem() {
  const t = useText()
  const { isOn, turn } = useGreeting()
  if (useViewer().authorization.disableGreeting) return null
  return (
    <Menu.Item
      role="menuitemcheckbox"
      aria-checked={isOn}
      leftSection={<IconMessageHeart size={16} />}
      rightSection={isOn && <IconCheck size={16} />}
      onClick={() => turn(!isOn)}
    >
      {t('greeting')}
    </Menu.Item>
  )
}

function useGreeting() {
  const user = useUser()
  const { update } = useSession()
  const turn = (enableGreeting: boolean) =>
    void savePreference(user, { enableGreeting }).then(update, notify.failed)
  return { isOn: user.enableGreeting, turn }
}
