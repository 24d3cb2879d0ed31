import { MAX_BODY } from '@balcao/contract/messages.input.ts'
import { Textarea } from '@mantine/core'
import { type ReactNode, useRef } from 'react'
import { EmojiButton } from '../../ui/emoji-button.tsx'
import { inserted } from '../../ui/insertion.ts'
import { QuickAnswerButton } from '../quickAnswers/suggest-button.tsx'
import { QuickAnswerSuggestions } from '../quickAnswers/suggestions.tsx'
import classes from './schedules.module.css'
import { useScheduleText } from './schedules.text.ts'

interface Props {
  label: string
  value: string
  onChange(text: string): void
  onBlur?(event: unknown): void
  error?: ReactNode
  /** Has the focus when its dialog opens. */
  'data-autofocus'?: boolean
  /** Variables, if they differ from those of a schedule. */
  variables?: readonly string[]
}

const VARIABLES = ['cliente', 'atendente', 'protocolo', 'data', 'horas']

/** Text sent later: with emojis, quick answers, and variables that are filled in when it is sent. */
export function MessageField({ value, onChange, variables = VARIABLES, ...field }: Props) {
  const t = useScheduleText()
  const area = useRef<HTMLTextAreaElement>(null)

  const insert = (words: string) => onChange(inserted(area.current, value, words).text)
  function write(text: string) {
    onChange(text)
    area.current?.focus()
  }

  return (
    <div>
      <Textarea
        {...field}
        ref={area}
        autosize
        minRows={3}
        maxRows={10}
        maxLength={MAX_BODY}
        dir="auto"
        value={value}
        onChange={event => onChange(event.currentTarget.value)}
      />
      <div className={classes.suggestions}>
        <QuickAnswerSuggestions ticket={null} input={area} body={value} onPick={write} />
      </div>
      <div className={classes.tools}>
        <EmojiButton label={t('emoji')} onEmoji={insert} onClosed={() => area.current?.focus()} />
        <QuickAnswerButton body={value} onPick={write} />
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a legend of its own */}
        <div role="group" className={classes.variables} aria-label={t('variables')}>
          {variables.map(name => (
            <button
              key={name}
              type="button"
              className={classes.variable}
              onClick={() => {
                insert(`{{${name}}}`)
                area.current?.focus()
              }}
            >
              {`{{${name}}}`}
            </button>
          ))}
        </div>
      </div>
    </div>
  )
}
