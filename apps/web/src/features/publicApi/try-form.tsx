import { Button, FileInput, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { type Answered, type CallField, type DescribedCall, fitsHeader, tryCall } from './publicApi.api.ts'
import classes from './publicApi.module.css'
import { usePublicApiText } from './publicApi.text.ts'

/** Makes the call with the pasted token and shows the response. */
export function TryForm({
  call,
  fields,
  token,
}: {
  call: DescribedCall
  fields: CallField[]
  token: string
}) {
  const t = usePublicApiText()
  const [values, setValues] = useState<Record<string, string>>({})
  const [files, setFiles] = useState<File[]>([])
  const [busy, setBusy] = useState(false)
  const [answer, setAnswer] = useState<Answered | 'unreached' | null>(null)
  const unfit = fields.filter(({ name, place }) => place === 'header' && !fitsHeader(values[name] ?? ''))
  const unsendable = [...(fitsHeader(token) ? [] : [t('token')]), ...unfit.map(({ name }) => name)]
  const send = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setAnswer(await tryCall(call, token, values, files).catch(() => 'unreached' as const))
    setBusy(false)
  }
  return (
    <form className={classes.inside} style={{ padding: 0 }} onSubmit={event => void send(event)}>
      <h2>{t('tryIt')}</h2>
      <div className={classes.fields}>
        {fields.map(({ name, place }) =>
          place === 'file' ? (
            <FileInput key={name} multiple clearable label={t('files')} value={files} onChange={setFiles} />
          ) : (
            <TextInput
              key={name}
              label={name}
              value={values[name] ?? ''}
              error={unsendable.includes(name) && t('plainOnly')}
              onChange={({ currentTarget: { value } }) => setValues(before => ({ ...before, [name]: value }))}
            />
          ),
        )}
      </div>
      <div>
        <Button type="submit" loading={busy} disabled={token.trim() === '' || unsendable.length > 0}>
          {t('send')}
        </Button>
      </div>
      <div role="status">
        {unsendable.length > 0 && <p>{t('unsendable', { fields: unsendable.join(', ') })}</p>}
        {answer === 'unreached' && <p>{t('unreached')}</p>}
        {answer && answer !== 'unreached' && (
          <>
            <p>
              {t('answer')}: {answer.status}
            </p>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
            <pre className={classes.code} tabIndex={0}>
              {answer.body}
            </pre>
          </>
        )}
      </div>
    </form>
  )
}
