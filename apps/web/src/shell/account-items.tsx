import { Menu } from '@mantine/core'
import {
  IconCheck,
  IconKeyboard,
  IconMessageHeart,
  IconSearch,
  IconSettings,
  IconUserCircle,
} from '@tabler/icons-react'
import type { MouseEvent } from 'react'
import { AvailabilityItems } from '../features/team/availability-items.tsx'
import { useViewer } from '../platform/session.tsx'
import { actOn } from '../platform/shortcuts.ts'
import { texts } from '../platform/text.ts'
import { visiting } from '../platform/visit.ts'
import type { AccountDialog } from './account-dialogs.tsx'
import { useGreeting, useGreetingText } from './greeting.tsx'

const useText = texts({
  profile: ['Perfil', 'Profile', 'Perfil'],
  commands: ['Ir para', 'Go to', 'Ir a'],
  shortcuts: ['Atalhos do teclado', 'Keyboard shortcuts', 'Atajos de teclado'],
  preferences: ['Preferencias', 'Preferences', 'Preferencias'],
})

interface Props {
  phone: boolean
  onDialog(dialog: AccountDialog): void
}

/** What the menu of the account holds besides the logout. */
export default function AccountItems({ phone, onDialog }: Props) {
  const t = useText()
  return (
    <>
      {!visiting.now() && <AvailabilityItems />}
      <Menu.Item leftSection={<IconUserCircle size={16} />} onClick={from(() => onDialog('profile'))}>
        {t('profile')}
      </Menu.Item>
      <Menu.Item leftSection={<IconSettings size={16} />} onClick={from(() => onDialog('preferences'))}>
        {t('preferences')}
      </Menu.Item>
      {phone ? (
        <>
          <Menu.Item
            leftSection={<IconSearch size={16} />}
            onClick={from(() => actOn(keys => keys === 'ctrl+k'))}
          >
            {t('commands')}
          </Menu.Item>
          <GreetingItem />
        </>
      ) : (
        <Menu.Item
          leftSection={<IconKeyboard size={16} />}
          rightSection="?"
          onClick={from(() => onDialog('shortcuts'))}
        >
          {t('shortcuts')}
        </Menu.Item>
      )}
      <Menu.Divider />
    </>
  )
}

/** The same in a menu, where the top bar has no room for a switch with its name. */
function GreetingItem() {
  const t = useGreetingText()
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

/** The focus returns to the button of the menu when a dialog is closed: the entry that opened it is gone by then. */
const from =
  (lead: () => void) =>
  ({ currentTarget }: MouseEvent) => {
    const button = currentTarget.closest('[role=menu]')?.getAttribute('aria-labelledby')
    document.getElementById(button ?? '')?.focus()
    lead()
  }
