import { IconSelector } from '@tabler/icons-react'
import { type Language, languages, speak, texts, useLanguage } from '../platform/text.ts'
import classes from './language-choice.module.css'

const useText = texts({ language: ['Idioma', 'Language', 'Idioma'] })

/** The language of the page while no user is logged in. */
export function LanguageChoice({ className }: { className: string | undefined }) {
  const t = useText()
  const language = useLanguage()
  return (
    <div className={`${classes.choice} ${className ?? ''}`}>
      <select
        className={classes.select}
        aria-label={t('language')}
        value={language}
        onChange={event => speak(event.currentTarget.value as Language)}
      >
        {languages.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <IconSelector className={classes.icon} size={16} aria-hidden />
    </div>
  )
}
