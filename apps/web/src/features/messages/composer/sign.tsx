import { Menu, Switch } from '@mantine/core'
import { IconCheck, IconSignature } from '@tabler/icons-react'
import { notify } from '../../../platform/notify.tsx'
import { useSession, useUser, useViewer } from '../../../platform/session.tsx'
import { savePreference } from '../../users/users.api.ts'
import { useMessageText } from '../messages.text.ts'

/** Whether the attendant's name goes before the text; groups may hide it. */
export function Sign() {
  const t = useMessageText()
  const { isOn, turn } = useSigning()
  if (useViewer().authorization.disableSignature) return null
  return (
    <Switch
      labelPosition="left"
      label={t('sign')}
      checked={isOn}
      onChange={event => turn(event.currentTarget.checked)}
    />
  )
}

/** The same in a menu, where the composer has no room for the switch. */
export function SignItem() {
  const t = useMessageText()
  const { isOn, turn } = useSigning()
  if (useViewer().authorization.disableSignature) return null
  return (
    <Menu.Item
      leftSection={<IconSignature size={16} />}
      rightSection={isOn && <IconCheck size={16} />}
      onClick={() => turn(!isOn)}
    >
      {t('sign')}
    </Menu.Item>
  )
}

function useSigning() {
  const user = useUser()
  const { update } = useSession()
  const turn = (signMessage: boolean) =>
    void savePreference(user, { signMessage }).then(update, notify.failed)
  return { isOn: user.signMessage, turn }
}
