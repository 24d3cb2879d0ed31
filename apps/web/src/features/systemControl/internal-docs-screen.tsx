import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { errorText } from '../../platform/errors.text.ts'
import { whole } from '../../platform/numbers.ts'
import { Page } from '../../ui/page.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import classes from './system.module.css'
import { internalDocs } from './systemControl.api.ts'
import { callsWith, type InternalCall } from './systemControl.docs.ts'
import { useSystemText } from './systemControl.text.ts'

/** Every call of the server: required rights, parameters, answers. */
export default function InternalDocsScreen() {
  const t = useSystemText()
  const { data = [], isPending, error } = useQuery(internalDocs)
  const [words, setWords] = useState('')
  const found = callsWith(data, useDeferredValue(words))
  return (
    <Page
      title={t('docs')}
      back={{ path: '/systemControl', label: t('back') }}
      count={data.length > 0 && <span role="status">{whole(found.length)}</span>}
      actions={<SearchField label={t('search')} value={words} onChange={setWords} />}
    >
      <div className={classes.calls}>
        <p>{t('docsHint')}</p>
        {isPending && <p role="status">{t('loading')}</p>}
        {error && <p role="alert">{errorText(error)}</p>}
        {data.length > 0 && found.length === 0 && <p role="status">{t('noneFound')}</p>}
        {found.map(one => (
          <Call key={`${one.method} ${one.path}`} call={one} />
        ))}
      </div>
    </Page>
  )
}

function Call({ call: { method, path, summary, needs, takes, answers } }: { call: InternalCall }) {
  const t = useSystemText()
  const [isOpen, setOpen] = useState(false)
  return (
    <details className={classes.call} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>
        <span className={classes.method}>{method}</span> <code>{path}</code>
        <small lang="en">{summary}</small>
      </summary>
      {isOpen && (
        <div className={classes.inside}>
          <p>{t('needs', { needs })}</p>
          <Shape label={t('takes')} shape={takes} />
          <Shape label={t('answers')} shape={answers} />
        </div>
      )}
    </details>
  )
}

function Shape({ label, shape }: { label: string; shape: object }) {
  if (Object.keys(shape).length === 0) return null
  return (
    <>
      <h3>{label}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <pre tabIndex={0}>{JSON.stringify(shape, null, 2)}</pre>
    </>
  )
}
