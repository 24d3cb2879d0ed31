import ProfileDialog from '../features/users/profile.dialog.tsx'
import PreferencesDialog from './preferences.dialog.tsx'
import ShortcutsDialog from './shortcuts.dialog.tsx'

export type AccountDialog = 'profile' | 'preferences' | 'shortcuts'

const dialogs = { profile: ProfileDialog, preferences: PreferencesDialog, shortcuts: ShortcutsDialog }

/** The dialogs that the menu of the account opens. */
export default function AccountDialogs({ dialog, onClose }: { dialog: AccountDialog; onClose(): void }) {
  const Shown = dialogs[dialog]
  return <Shown onClose={onClose} />
}
