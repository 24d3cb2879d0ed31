import type { Terms } from '@balcao/contract/terms.ts'
import { useId } from 'react'
import { useLeadText } from './leads.text.ts'
import classes from './store.module.css'

interface Props {
  terms: Terms
  /** The version that is accepted; empty: none. */
  accepted: string
  error: string | undefined
  onChange(version: string): void
}

/** The operator’s terms, and their acceptance. */
export function TermsCheck({ terms: { version, url, text }, accepted, error, onChange }: Props) {
  const t = useLeadText()
  const id = useId()
  return (
    <div className={classes.terms}>
      <label>
        <input
          type="checkbox"
          checked={accepted === version}
          aria-invalid={Boolean(error)}
          aria-describedby={error ? id : undefined}
          onChange={event => onChange(event.currentTarget.checked ? version : '')}
        />{' '}
        {t('termsAccept', { version })}
      </label>
      {url && (
        <a href={url} target="_blank" rel="noreferrer">
          {t('termsRead')}
        </a>
      )}
      {text && (
        <details>
          <summary>{t('termsText')}</summary>
          <p className={classes.termsText}>{text}</p>
        </details>
      )}
      {error && (
        <p className={classes.termsError} id={id} role="alert">
          {error}
        </p>
      )}
    </div>
  )
}
