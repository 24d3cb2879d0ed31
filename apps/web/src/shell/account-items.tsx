import { Menu } from '@mantine/core'
import { IconKeyboard, IconLogout, IconSearch, IconSettings, IconUserCircle } from '@tabler/icons-react'
import { texts } from '../platform/text.ts'
import { whenSaved } from '../ui/unsaved.ts'
import type { AccountDialog } from './account-dialogs.tsx'
import { actBy } from './commands.acts.ts'
import { GreetingItem } from './greeting.tsx'

const useText = texts({
  profile: ['Perfil', 'Profile', 'Perfil'],
  commands: ['Ir para', 'Go to', 'Ir a'],
  shortcuts: ['Atalhos do teclado', 'Keyboard shortcuts', 'Atajos de teclado'],
  preferences: ['Preferencias', 'Preferences', 'Preferencias'],
  logout: ['Logout', 'Logout', 'Salir'],
})

interface Props {
  phone: boolean
  onDialog(dialog: AccountDialog): void
  onLeave(): void
}

/** What the menu of the account holds. */
export default function AccountItems({ phone, onDialog, onLeave }: Props) {
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
          <Menu.Item leftSection={<IconSearch size={16} />} onClick={() => actBy('ctrl+k')}>
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
      <Menu.Divider />
      <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => whenSaved(onLeave)}>
        {t('logout')}
      </Menu.Item>
    </>
  )
}
