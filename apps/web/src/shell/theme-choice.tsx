import { IconCircleCheckFilled } from '@tabler/icons-react'
import { useLayoutEffect, useRef, useState } from 'react'
import { texts } from '../platform/text.ts'
import { type ThemeName, themeNames } from '../theme/themes.ts'
import classes from './preferences.module.css'

const useText = texts({
  theme: ['Tema', 'Theme', 'Tema'],
  palette: ['Paleta', 'Palette', 'Paleta'],
  defaultTheme: ['Padrão', 'Default', 'Predeterminado'],
  floresta: ['Floresta', 'Forest', 'Bosque'],
  frutasvermelhas: ['Frutas vermelhas', 'Berries', 'Frutos rojos'],
  noturnoorange: ['Noturno laranja', 'Night orange', 'Nocturno naranja'],
  ceuazul: ['Céu azul', 'Blue sky', 'Cielo azul'],
  dracula: ['Drácula', 'Dracula', 'Drácula'],
  claro: ['Claro', 'Light', 'Claro'],
})

/** The seven themes, each as a small picture of the product in its own colours. */
export function ThemeChoice({ theme, onChoose }: { theme: ThemeName; onChoose(theme: ThemeName): void }) {
  const t = useText()
  return (
    <fieldset className={classes.choice}>
      <legend className={classes.head}>{t('theme')}</legend>
      <div className={classes.themes}>
        {themeNames.map(name => (
          <label key={name} className={classes.theme}>
            <input
              type="radio"
              name="theme"
              className="sr-only"
              checked={theme === name}
              onChange={() => onChoose(name)}
            />
            <ThemePicture name={name} />
            <span className={`${classes.name} one-line`}>
              {t(name)}
              {theme === name && <IconCircleCheckFilled size={17} aria-hidden />}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

function ThemePicture({ name }: { name: ThemeName }) {
  return (
    <span className={classes.picture} data-theme={name} aria-hidden>
      <span className={classes.sheet}>
        <span className={classes.in} />
        <span className={classes.out} />
        <span className={classes.button} />
        <span className={classes.count} />
      </span>
    </span>
  )
}

const palette = ['primary', 'secondary', 'tertiary', 'quaternary', 'quinary']

/** The five colours a theme is made of, with their values. */
export function Palette({ theme }: { theme: ThemeName }) {
  const t = useText()
  const list = useRef<HTMLDListElement>(null)
  const [values, setValues] = useState<string[]>([])
  useLayoutEffect(() => {
    if (list.current?.dataset.theme !== theme) return
    const style = getComputedStyle(list.current)
    setValues(palette.map(name => style.getPropertyValue(`--${name}`).trim().toUpperCase()))
  }, [theme])
  return (
    <>
      <h3 className={classes.head}>{t('palette')}</h3>
      <dl className={classes.palette} ref={list} data-theme={theme}>
        {palette.map((name, at) => (
          <div key={name}>
            <dt>
              <span className={classes.swatch} style={{ background: `var(--${name})` }} />
              {name}
            </dt>
            <dd className="mono">{values[at]}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}
