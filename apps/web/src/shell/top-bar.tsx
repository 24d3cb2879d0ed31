import { Menu } from '@mantine/core'
import {
  IconBell,
  IconChevronDown,
  IconExternalLink,
  IconLogout,
  IconMenu2,
  IconRefresh,
  IconSearch,
} from '@tabler/icons-react'
import { useState } from 'react'
import { leftBehind } from '../platform/left-behind.ts'
import { useSession, useUser } from '../platform/session.tsx'
import { useShortcuts } from '../platform/shortcuts.ts'
import { texts } from '../platform/text.ts'
import { typedAhead } from '../platform/typed-ahead.ts'
import { visiting } from '../platform/visit.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Boundary } from '../ui/boundary.tsx'
import { useGoTo } from '../ui/go-to.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { OfflineBanner } from '../ui/offline-banner.tsx'
import { soon } from '../ui/soon.tsx'
import { whenSaved } from '../ui/unsaved.ts'
import type { AccountDialog } from './account-dialogs.tsx'
import { useBranding } from './branding.ts'
import { CompanyLogo } from './company-logo.tsx'
import { Greeting } from './greeting.tsx'
import classes from './top-bar.module.css'

const AccountDialogs = soon(() => import('./account-dialogs.tsx'))
const AccountItems = soon(() => import('./account-items.tsx'))
/** What it counts comes after the lists: until then it holds its place. */
const Bell = soon(() => import('./bell.tsx'), { instead: <BellToCome /> })
const OwnState = soon(() => import('../features/team/own-state.tsx'))
const loadCommands = () => import('./commands.dialog.tsx')
const CommandsDialog = soon(loadCommands)
const loadLogout = () => import('./logout.dialog.tsx')
const LogoutDialog = soon(loadLogout)

const useText = texts({
  menu: ['Menu', 'Menu', 'Menú'],
  reload: ['Recarregar', 'Reload', 'Recargar'],
  newWindow: ['Abrir em nova janela', 'Open in a new window', 'Abrir en una ventana nueva'],
  logout: ['Logout', 'Logout', 'Salir'],
  account: ['Conta de', 'Account of', 'Cuenta de'],
  commands: ['Ir para', 'Go to', 'Ir a'],
  notifications: ['Notificações', 'Notifications', 'Notificaciones'],
})

export function TopBar({ phone, menuOpen, onMenu }: { phone: boolean; menuOpen: boolean; onMenu(): void }) {
  const t = useText()
  const { company } = useUser()
  const { platformName } = useBranding()
  return (
    <header className={classes.bar}>
      <IconButton frame label={t('menu')} onClick={onMenu} aria-expanded={menuOpen}>
        <IconMenu2 size={20} stroke={1.75} />
      </IconButton>
      <span className={classes.brand}>
        <CompanyLogo logoUrl={company.logoUrl} className={classes.logo} />
        <span className={classes.names}>
          <strong className="one-line">{phone ? platformName : company.companyName}</strong>
          {!phone && company.slogan && <small className="one-line">{company.slogan}</small>}
        </span>
      </span>
      <span className={classes.gap}>{!phone && <OfflineBanner />}</span>
      {!phone && <Greeting />}
      {phone && (
        <IconButton frame label={t('newWindow')} onClick={openNarrow}>
          <IconExternalLink size={19} stroke={1.75} />
        </IconButton>
      )}
      <Commands phone={phone} />
      <IconButton frame label={t('reload')} onClick={() => location.reload()}>
        <IconRefresh size={19} stroke={1.75} />
      </IconButton>
      <Bell />
      <Account phone={phone} />
    </header>
  )
}

function BellToCome() {
  return (
    <IconButton frame disabled label={useText()('notifications')}>
      <IconBell size={19} stroke={1.75} />
    </IconButton>
  )
}

const openNarrow = () => window.open(location.href, '_blank', 'popup,width=400,height=760')

/** On a phone the menu of the account leads to them. Without a connection their code may be missing: then nothing opens. */
function Commands({ phone }: { phone: boolean }) {
  const t = useText()
  const [isOpen, setOpen] = useState(false)
  // a second press while its code is loaded begins nothing anew
  const open = () => void (typedAhead.isOn() || typedAhead.during(loadCommands()).then(setOpen))
  useShortcuts({ 'ctrl+k': open })
  return (
    <>
      {!phone && (
        <IconButton frame label={t('commands')} shortcut="Ctrl+K" onClick={open}>
          <IconSearch size={19} stroke={1.75} />
        </IconButton>
      )}
      {isOpen && <CommandsDialog onClose={() => setOpen(false)} />}
    </>
  )
}

function Account({ phone }: { phone: boolean }) {
  const t = useText()
  const user = useUser()
  const { leave } = useSession()
  const goTo = useGoTo()
  const [dialog, setDialog] = useState<AccountDialog | null>(null)
  const [left, setLeft] = useState(0)
  const leaveNow = (keep?: 'keep') => leave(keep).then(() => goTo('/login', { isSaved: true }))
  /** What only this browser has is asked about; where the question cannot be loaded, without a connection, it is kept. */
  async function askLeave() {
    const count = await leftBehind.settle()
    if (count === 0) return leaveNow()
    await loadLogout().then(
      () => setLeft(count),
      () => leaveNow('keep'),
    )
  }
  useShortcuts({ '?': () => setDialog('shortcuts') })
  return (
    <>
      <Menu position="bottom-end" offset={6}>
        <Menu.Target>
          <button type="button" className={classes.account}>
            <Avatar name={user.name} size={28} />
            {!visiting.now() && <OwnState />}
            <span className="sr-only">{t('account')}</span>
            {phone && <span className="sr-only">{user.name}</span>}
            {!phone && (
              <>
                <span className="one-line">{user.name}</span>
                <IconChevronDown size={16} aria-hidden />
              </>
            )}
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <Boundary instead={null}>
            <AccountItems phone={phone} onDialog={setDialog} />
          </Boundary>
          <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => whenSaved(() => void askLeave())}>
            {t('logout')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {left > 0 && (
        <LogoutDialog
          count={left}
          onClose={() => setLeft(0)}
          onLeave={isKept => void leaveNow(isKept ? 'keep' : undefined)}
        />
      )}
      {dialog && (
        <Boundary instead={null} onFail={() => setDialog(null)}>
          <AccountDialogs dialog={dialog} onClose={() => setDialog(null)} />
        </Boundary>
      )}
    </>
  )
}
