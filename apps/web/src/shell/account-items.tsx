import { Menu } from '@mantine/core'
import { IconKeyboard, IconSearch, IconSettings, IconUserCircle } from '@tabler/icons-react'
import { texts } from '../platform/text.ts'
import type { AccountDialog } from './account-dialogs.tsx'
import { GreetingItem } from './greeting.tsx'

const useText = texts({
  profile: ['Perfil', 'Profile', 'Perfil'],
  commands: ['Ir para', 'Go to', 'Ir a'],
  shortcuts: ['Atalhos do teclado', 'Keyboard shortcuts', 'Atajos de teclado'],
  preferences: ['Preferencias', 'Preferences', 'Preferencias'],
})

interface Props {
  phone: boolean
  onDialog(dialog: AccountDialog): void
  onCommands(): void
}

/** What the menu of the account holds besides the logout. */
export default function AccountItems({ phone, onDialog, onCommands }: Props) {
  const t = useText()
  return (
    <>
      <Menu.Item leftSection={<IconUserCircle size={16} />} onClick={() => onDialog('profile')}>
        {t('profile')}
      </Menu.Item>
      <Menu.Item leftSection={<IconSettings size={16} />} onClick={() => onDialog('preferences')}>
        {t('preferences')}
      </Menu.Item>
      {phone ? (
        <>
          <Menu.Item leftSection={<IconSearch size={16} />} onClick={onCommands}>
            {t('commands')}
          </Menu.Item>
          <GreetingItem />
        </>
      ) : (
        <Menu.Item
          leftSection={<IconKeyboard size={16} />}
          rightSection="?"
          onClick={() => onDialog('shortcuts')}
        >
          {t('shortcuts')}
        </Menu.Item>
      )}
    </>
  )
}
