import { Button, Group, SegmentedControl, Slider } from '@mantine/core'
import { useState } from 'react'
import { savePreference } from '../features/users/users.api.ts'
import { notify } from '../platform/notify.tsx'
import { useSession, useUser } from '../platform/session.tsx'
import { type Language, language, languages, speak, texts } from '../platform/text.ts'
import { chooseTheme, type ThemeName, themeNames, useThemeName } from '../theme/themes.ts'
import { Dialog } from '../ui/dialog.tsx'
import classes from './preferences.module.css'

const useText = texts({
  title: ['Preferencias', 'Preferences', 'Preferencias'],
  volume: ['Volume das notificações', 'Notification volume', 'Volumen de las notificaciones'],
  theme: ['Tema', 'Theme', 'Tema'],
  language: ['Idioma', 'Language', 'Idioma'],
  apply: ['APLICAR', 'APPLY', 'APLICAR'],
  defaultTheme: ['Padrão', 'Default', 'Predeterminado'],
  floresta: ['Floresta', 'Forest', 'Bosque'],
  frutasvermelhas: ['Frutas vermelhas', 'Berries', 'Frutos rojos'],
  noturnoorange: ['Noturno laranja', 'Night orange', 'Nocturno naranja'],
  ceuazul: ['Céu azul', 'Blue sky', 'Cielo azul'],
  dracula: ['Drácula', 'Dracula', 'Drácula'],
  claro: ['Claro', 'Light', 'Claro'],
})

const FALLBACK_VOLUME = 30
const palette = ['primary', 'secondary', 'tertiary', 'quaternary', 'quinary']

/** Volume, theme and language. APLICAR stores them, closes and reloads the page. */
export function PreferencesDialog({ onClose }: { onClose(): void }) {
  const t = useText()
  const user = useUser()
  const { update } = useSession()
  const [volume, setVolume] = useState(user.volume ?? FALLBACK_VOLUME)
  const [theme, setTheme] = useState<ThemeName>(useThemeName())
  const [spoken, setSpoken] = useState<Language>(language())

  async function apply() {
    try {
      if (volume !== user.volume) update(await savePreference(user, { volume }))
      chooseTheme(theme)
      await speak(spoken)
      onClose()
      location.reload()
    } catch (error) {
      notify.failed(error)
    }
  }

  return (
    <Dialog title={t('title')} onClose={onClose} size={620}>
      <h3 className={classes.head} id="volume">
        {t('volume')}
      </h3>
      <Slider
        value={volume}
        onChange={setVolume}
        min={0}
        max={100}
        thumbLabel={t('volume')}
        label={value => value}
      />
      <h3 className={classes.head}>{t('theme')}</h3>
      <div className={classes.themes} role="radiogroup" aria-label={t('theme')}>
        {themeNames.map(name => (
          // biome-ignore lint/a11y/useSemanticElements: a card that is a radio
          <button
            key={name}
            type="button"
            role="radio"
            aria-checked={theme === name}
            className={classes.theme}
            onClick={() => setTheme(name)}
          >
            <ThemePicture name={name} />
            {t(name)}
          </button>
        ))}
      </div>
      <h3 className={classes.head}>{t('language')}</h3>
      <SegmentedControl data={languages} value={spoken} onChange={value => setSpoken(value as Language)} />
      <Group justify="flex-end" mt={20}>
        <Button onClick={() => void apply()}>{t('apply')}</Button>
      </Group>
    </Dialog>
  )
}

/** A small picture of the product in a theme's own colours, and the five of its palette. */
function ThemePicture({ name }: { name: ThemeName }) {
  return (
    <span className={classes.picture} data-theme={name} aria-hidden>
      <span className={classes.frame} />
      <span className={classes.sheet}>
        <span className={classes.bubble} />
        <span className={classes.button} />
      </span>
      <span className={classes.palette}>
        {palette.map(token => (
          <span key={token} style={{ background: `var(--${token})` }} />
        ))}
      </span>
    </span>
  )
}
