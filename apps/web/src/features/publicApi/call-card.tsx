import { NativeSelect } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Description } from './description.tsx'
import { type CallField, callFields, type DescribedCall } from './publicApi.api.ts'
import { type ExampleLanguage, exampleOf, LANGUAGES, sampleKey } from './publicApi.examples.ts'
import classes from './publicApi.module.css'
import { usePublicApiText } from './publicApi.text.ts'
import { TryForm } from './try-form.tsx'

interface Props {
  call: DescribedCall
  token: string
  /** Initially open. */
  opened: boolean
  /** False where no server answers the call. */
  tried: boolean
}

/** One call: parameters, responses, examples, and a form that makes it. */
export function CallCard({ call, token, opened, tried }: Props) {
  const t = usePublicApiText()
  const { method, path, operation } = call
  const fields = callFields(call)
  return (
    <details className={classes.call} open={opened}>
      <summary className={classes.head}>
        <span className={classes.method}>{method}</span>
        <code className={classes.path}>{path}</code>
      </summary>
      <div className={classes.inside}>
        <p>
          <Description of={`${method} ${path}`}>{operation.summary}</Description>
        </p>
        {fields.length > 0 && <Fields fields={fields} />}
        <h2>{t('answers')}</h2>
        <dl className={classes.answers}>
          {Object.entries(operation.responses).map(([status, { description }]) => [
            <dt key={status}>{status}</dt>,
            <dd key={`${status} text`}>
              <Description of={status}>{description}</Description>
            </dd>,
          ])}
        </dl>
        <Example call={call} />
        {tried && <TryForm call={call} fields={fields} token={token} />}
      </div>
    </details>
  )
}

function Fields({ fields }: { fields: CallField[] }) {
  const t = usePublicApiText()
  return (
    <>
      <h2>{t('fields')}</h2>
      <ul className={classes.taken}>
        {fields.map(({ name, place, type, required, description }) => (
          <li key={name}>
            <code>{name}</code>
            <small>
              {[place === 'file' ? 'body' : place, type, required && t('required')]
                .filter(Boolean)
                .join(' · ')}
            </small>
            {description && (
              <p>
                <Description of={describedAs(name)}>{description}</Description>
              </p>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

/** Both names of the number have one description. */
const describedAs = (name: string) => (name === 'contactNumber' ? 'number' : name)

function Example({ call }: { call: DescribedCall }) {
  const t = usePublicApiText()
  const [language, setLanguage] = useState<ExampleLanguage>('curl')
  const [key] = useState(sampleKey)
  const example = exampleOf(call, language, window.location.origin, key)
  const copy = () => navigator.clipboard.writeText(example).then(() => notify.done(t('copied')))
  return (
    <>
      <h2>{t('examples')}</h2>
      <div className={classes.bar}>
        <NativeSelect
          aria-label={t('language')}
          data={LANGUAGES}
          value={language}
          onChange={event => setLanguage(event.currentTarget.value as ExampleLanguage)}
        />
        <IconButton label={t('copy')} onClick={() => void copy()}>
          <IconCopy size={18} stroke={1.75} />
        </IconButton>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <pre className={classes.code} tabIndex={0}>
        {example}
      </pre>
    </>
  )
}
