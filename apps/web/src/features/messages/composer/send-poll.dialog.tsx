import { MAX_OPTION, MAX_QUESTION, MOST_OPTIONS, PollInput } from '@balcao/contract/kinds.ts'
import type { Message } from '@balcao/contract/messages.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { Button, Stack, Switch, Textarea, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { useViewer } from '../../../platform/session.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { sendPoll } from '../sending/send.ts'
import { usePollText } from './composer.poll.text.ts'
import { useComposeText } from './composer.text.ts'

interface Props {
  ticket: Ticket
  quoted: Message | null
  onSent(): void
  onClose(): void
}

/** Asks a question with options; a field for the next option is always there. */
export default function SendPollDialog({ ticket, quoted, onSent, onClose }: Props) {
  const t = usePollText()
  const c = useComposeText()
  const viewer = useViewer()
  const [question, setQuestion] = useState('')
  const [isMultiple, setMultiple] = useState(false)
  const { options, fields, change, remove } = useOptions()
  const list = useRef<HTMLDivElement>(null)
  const twice = options.filter((option, at) => options.indexOf(option) < at)
  const poll = PollInput.safeParse({ question, options, isMultiple }).data
  const send = () => {
    if (!poll) return
    sendPoll(ticket, viewer, poll, quoted)
    onSent()
    onClose()
  }
  const goOn = (event: KeyboardEvent<HTMLInputElement>, at: number) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    list.current?.querySelectorAll('input')[at + 1]?.focus()
  }
  return (
    <Dialog title={c('poll')} onClose={onClose} isUnsaved={question !== '' || options.length > 0}>
      <form
        onSubmit={event => {
          event.preventDefault()
          send()
        }}
        onKeyDown={event => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          send()
        }}
      >
        <Stack gap={12}>
          <Textarea
            data-autofocus
            autosize
            minRows={1}
            maxRows={4}
            label={t('question')}
            maxLength={MAX_QUESTION}
            value={question}
            onChange={event => setQuestion(event.currentTarget.value)}
          />
          <Stack ref={list} gap={8} role="group" aria-label={t('options')}>
            {fields.map(({ key, text }, at) => (
              <TextInput
                key={key}
                aria-label={t('option', { count: at + 1 })}
                placeholder={t('option', { count: at + 1 })}
                maxLength={MAX_OPTION}
                value={text}
                error={twice.includes(text.trim()) && t('twice')}
                onChange={event => change(at, event.currentTarget.value)}
                onKeyDown={event => goOn(event, at)}
                rightSection={
                  text && (
                    <IconButton small label={t('removeOption', { name: text })} onClick={() => remove(at)}>
                      <IconX size={16} />
                    </IconButton>
                  )
                }
              />
            ))}
          </Stack>
          <Switch
            label={t('several')}
            checked={isMultiple}
            onChange={event => setMultiple(event.currentTarget.checked)}
          />
          <small>{t('official')}</small>
        </Stack>
        <DialogActions onClose={onClose}>
          <Button type="submit" disabled={!poll}>
            {c('send')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** The options that are filled in, and their fields: those and an empty one, at least two. */
function useOptions() {
  const [fields, setFields] = useState(() => [newField(), newField()])
  const keep = (changed: Field[]) => {
    const isFull = changed.every(({ text }) => text !== '')
    setFields(isFull && changed.length < MOST_OPTIONS ? [...changed, newField()] : changed)
  }
  const rest = (at: number) => fields.filter((_, other) => other !== at)
  return {
    fields,
    options: fields.flatMap(({ text }) => text.trim() || []),
    change: (at: number, text: string) =>
      keep(fields.map((one, other) => (other === at ? { ...one, text } : one))),
    remove: (at: number) => keep(fields.length > 2 ? rest(at) : [...rest(at), newField()]),
  }
}

interface Field {
  key: number
  text: string
}

let last = 0
const newField = (): Field => ({ key: ++last, text: '' })
