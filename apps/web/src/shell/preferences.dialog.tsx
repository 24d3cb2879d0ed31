import { Button, NativeSelect, Slider, Switch } from '@mantine/core'
import { IconVolume } from '@tabler/icons-react'
import { useState } from 'react'
import { PushSection } from '../features/push/push-section.tsx'
import { useOpensNext } from '../features/tickets/place.ts'
import { sounds } from '../features/tickets/sound.ts'
import { savePreference } from '../features/users/users.api.ts'
import { notify } from '../platform/notify.tsx'
import { useSession, useUser } from '../platform/session.tsx'
import { type Language, languages, speak, texts, useLanguage } from '../platform/text.ts'
import { visiting } from '../platform/visit.ts'
import { chooseTheme, type ThemeName, useThemeName } from '../theme/themes.ts'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import classes from './preferences.module.css'
import { SoundChoice } from './sound-choice.tsx'
import { Palette, ThemeChoice } from './theme-choice.tsx'

const useText = texts({
  title: ['Preferencias', 'Preferences', 'Preferencias'],
  volume: ['Volume das notificações', 'Notification volume', 'Volumen de las notificaciones'],
  language: ['Idioma', 'Language', 'Idioma'],
  next: [
    'Depois de resolver, abrir o próximo atendimento da lista',
    'After resolving, open the next ticket of the list',
    'Después de resolver, abrir la siguiente atención de la lista',
  ],
  apply: ['APLICAR', 'APPLY', 'APLICAR'],
})

/**
 * Volume, sounds, what follows a resolved ticket and the theme, which APLICAR stores, closing and reloading the page; a language applies as soon
 * as it is chosen.
 */
export default function PreferencesDialog({ onClose }: { onClose(): void }) {
  const t = useText()
  const user = useUser()
  const { update } = useSession()
  const [volume, setVolume] = useState(user.volume)
  const [played, setPlayed] = useState(sounds.read)
  const [theme, setTheme] = useState<ThemeName>(useThemeName())
  const [isNext, keepNext] = useOpensNext()
  const [opensNext, setOpensNext] = useState(isNext)
  const current = useLanguage()
  const [busy, setBusy] = useState(false)

  async function apply() {
    setBusy(true)
    try {
      if (volume !== user.volume) update(await savePreference(user, { volume }))
      sounds.keep(played)
      keepNext(opensNext)
      chooseTheme(theme)
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
      </div>
      <div className={classes.sounds}>
        <SoundChoice sounds={played} volume={volume} onChange={setPlayed} />
      </div>
      <Switch
        mt={16}
        label={t('next')}
        checked={opensNext}
        onChange={event => setOpensNext(event.currentTarget.checked)}
      />
      <ThemeChoice theme={theme} onChoose={setTheme} />
      <Palette theme={theme} />
      <NativeSelect
        mt={16}
        label={t('language')}
        data={languages}
        value={current}
        onChange={event => speak(event.currentTarget.value as Language)}
      />
      {!visiting.now() && <PushSection />}
      <DialogActions onClose={onClose}>
        <Button loading={busy} onClick={() => void apply()}>
          {t('apply')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
