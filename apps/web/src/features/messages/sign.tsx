import { Switch } from '@mantine/core'
import { notify } from '../../platform/notify.tsx'
import { useSession, useUser, useViewer } from '../../platform/session.tsx'
import { savePreference } from '../users/users.api.ts'
import { useMessageText } from './messages.text.ts'

/** Whether the attendant's name goes before the text; groups may hide it. */
export function Sign() {
  const t = useMessageText()
  const user = useUser()
  const { update } = useSession()
  if (useViewer().authorization.disableSignature) return null
  const toggle = (signMessage: boolean) => savePreference(user, { signMessage }).then(update, notify.failed)
  return (
    <Switch
      labelPosition="left"
      label={t('sign')}
      checked={user.signMessage}
      onChange={event => void toggle(event.currentTarget.checked)}
    />
  )
}
