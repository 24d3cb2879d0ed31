import type { Placeholders } from '@balcao/contract/placeholders.rules.ts'
import { Input, Textarea } from '@mantine/core'
import { type ReactNode, useRef } from 'react'
import { texts } from '../platform/text.ts'
import { clock } from '../platform/time.ts'
import { FilledText } from './filled-text.tsx'
import classes from './greeting-field.module.css'
import { inserted } from './insertion.ts'

const useText = texts({
  variables: ['Inserir variável', 'Insert a variable', 'Insertar una variable'],
  preview: ['Como o cliente lê', 'As the customer reads it', 'Como lo lee el cliente'],
  customer: ['Ana Souza', 'Ana Souza', 'Ana Souza'],
})

interface Props {
  label: string
  description?: ReactNode
  value?: string
  onChange(text: string): void
  onBlur?(event: unknown): void
  error?: ReactNode
  /** The greeting user; none where a queue greets automatically. */
  speaker?: string
  /** What is sent while nothing is written. */
  usual?: string
}

/**
 * A greeting with its variables: buttons insert them, and a preview shows the text as a customer will read
 * it.
 */
export function GreetingField({ value = '', onChange, speaker, usual, ...input }: Props) {
  const t = useText()
  const area = useRef<HTMLTextAreaElement>(null)
  const values = useSample(speaker)
  const offered = Object.keys(values).filter(name => name !== 'atendente' || speaker !== undefined)

  function insert(name: string) {
    onChange(inserted(area.current, value, `{{${name}}}`).text)
    area.current?.focus()
  }

  const shown = value.trim() ? value : (usual ?? '')
  return (
    <div>
      <Textarea
        {...input}
        ref={area}
        value={value}
        placeholder={usual}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={4000}
        onChange={event => onChange(event.currentTarget.value)}
      />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a legend of its own */}
      <div role="group" className={classes.variables} aria-label={t('variables')}>
        {offered.map(name => (
          <button key={name} type="button" className={classes.variable} onClick={() => insert(name)}>
            {`{{${name}}}`}
          </button>
        ))}
      </div>
      {shown && (
        <>
          <Input.Description mt={10}>{t('preview')}</Input.Description>
          <p className={classes.preview}>
            <FilledText text={shown} values={values} />
          </p>
        </>
      )}
    </div>
  )
}

function useSample(speaker = ''): Placeholders {
  const t = useText()
  const now = clock()
  return {
    cliente: t('customer'),
    atendente: speaker,
    protocolo: `${now.format('YYYYMMDD')}0042`,
    data: now.format('DD/MM/YYYY'),
    horas: now.format('HH:mm'),
  }
}
