import { Button, Slider } from '@mantine/core'
import { IconPlayerPlay, IconVolume } from '@tabler/icons-react'
import { useState } from 'react'
import { ring } from '../features/tickets/sound.ts'
import { savePreference } from '../features/users/users.api.ts'
import { notify } from '../platform/notify.tsx'
import { useSession, useUser } from '../platform/session.tsx'
import { type Language, language, languages, speak, texts } from '../platform/text.ts'
import { chooseTheme, type ThemeName, useThemeName } from '../theme/themes.ts'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { Segmented } from '../ui/segmented.tsx'
import classes from './preferences.module.css'
import { Palette, ThemeChoice } from './theme-choice.tsx'

const useText = texts({
  title: ['Preferencias', 'Preferences', 'Preferencias'],
  volume: ['Volume das notificações', 'Notification volume', 'Volumen de las notificaciones'],
  hear: ['Ouvir', 'Listen', 'Escuchar'],
  language: ['Idioma', 'Language', 'Idioma'],
  apply: ['APLICAR', 'APPLY', 'APLICAR'],
})

/** Volume, theme and language. APLICAR stores them, closes and reloads the page. */
export default function PreferencesDialog({ onClose }: { onClose(): void }) {
  const t = useText()
  const user = useUser()
  const { update } = useSession()
  const [volume, setVolume] = useState(user.volume)
  const [theme, setTheme] = useState<ThemeName>(useThemeName())
  const [spoken, setSpoken] = useState<Language>(language())
  const [busy, setBusy] = useState(false)

  async function apply() {
    setBusy(true)
    try {
      if (volume !== user.volume) update(await savePreference(user, { volume }))
      chooseTheme(theme)
      speak(spoken)
      onClose()
      location.reload()
    } catch (error) {
      setBusy(false)
      notify.failed(error)
    }
  }

  return (
    <Dialog title={t('title')} onClose={onClose} size={620}>
      <h3 className={classes.head}>
        {t('volume')}
        <output className={classes.figure}>{volume}</output>
      </h3>
      <div className={classes.volume}>
        <IconVolume size={18} stroke={1.75} aria-hidden />
        <Slider
          className={classes.slider}
          value={volume}
          onChange={setVolume}
          min={0}
          max={100}
          label={null}
          thumbLabel={t('volume')}
        />
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlayerPlay size={14} aria-hidden />}
          onClick={() => ring(volume)}
        >
          {t('hear')}
        </Button>
      </div>
      <ThemeChoice theme={theme} onChoose={setTheme} />
      <Palette theme={theme} />
      <h3 className={classes.head}>{t('language')}</h3>
      <Segmented<Language> label={t('language')} options={languages} value={spoken} onChange={setSpoken} />
      <DialogActions onClose={onClose}>
        <Button loading={busy} onClick={() => void apply()}>
          {t('apply')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
