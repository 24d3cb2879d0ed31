import { asVariable, missingIn, previewOf } from '@balcao/contract/cloud.rules.ts'
import type { CloudPlaceholder, CloudTemplate } from '@balcao/contract/cloud.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { Button, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { errorText } from '../../platform/errors.text.ts'
import { notify } from '../../platform/notify.tsx'
import { useViewer } from '../../platform/session.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { sendTemplate } from '../messages/sending/send.ts'
import { templatesOf } from './cloud.api.ts'
import { useCloudText } from './cloud.text.ts'
import classes from './template.module.css'

interface Props {
  ticket: Ticket
  onClose(): void
}

/** Chooses an approved message, fills it in and sends it: all that goes out once a customer was silent for a day. */
export default function TemplateDialog({ ticket, onClose }: Props) {
  const t = useCloudText()
  const [chosen, setChosen] = useState<CloudTemplate | null>(null)
  return (
    <Dialog title={t('sendTemplate')} onClose={onClose} size={620}>
      {chosen ? (
        <Fill ticket={ticket} template={chosen} onBack={() => setChosen(null)} onClose={onClose} />
      ) : (
        <Choose whatsappId={ticket.whatsappId ?? 0} onChoose={setChosen} onClose={onClose} />
      )}
    </Dialog>
  )
}

interface ChooseProps {
  whatsappId: number
  onChoose(template: CloudTemplate): void
  onClose(): void
}

function Choose({ whatsappId, onChoose, onClose }: ChooseProps) {
  const t = useCloudText()
  const { data, error } = useQuery(templatesOf(whatsappId))
  const [word, setWord] = useState('')
  const sendable = data?.filter(one => one.sendable)
  const found = sendable?.filter(one =>
    `${one.name} ${one.body}`.toLowerCase().includes(word.trim().toLowerCase()),
  )
  return (
    <>
      <TextInput
        label={t('search')}
        data-autofocus
        value={word}
        onChange={event => setWord(event.currentTarget.value)}
      />
      {error && <p role="alert">{errorText(error)}</p>}
      {sendable?.length === 0 && <p>{t('noTemplates')}</p>}
      {sendable && sendable.length > 0 && found?.length === 0 && <p>{t('noneFound')}</p>}
      <ul className={classes.list} aria-label={t('templates')}>
        {found?.map(one => (
          <li key={`${one.name} ${one.language}`}>
            <button type="button" className={classes.template} onClick={() => onChoose(one)}>
              <span className={classes.name}>{one.name}</span>
              <span className={classes.about}>
                {one.language} · {categoryText(t, one.category)}
              </span>
              <span className={classes.words}>{one.body}</span>
            </button>
          </li>
        ))}
      </ul>
      <DialogActions onClose={onClose}>{null}</DialogActions>
    </>
  )
}

const categoryText = (t: ReturnType<typeof useCloudText>, category: string) =>
  category === 'MARKETING' || category === 'UTILITY' || category === 'AUTHENTICATION' ? t(category) : category

interface FillProps {
  ticket: Ticket
  template: CloudTemplate
  onBack(): void
  onClose(): void
}

function Fill({ ticket, template, onBack, onClose }: FillProps) {
  const t = useCloudText()
  const viewer = useViewer()
  const [variables, setVariables] = useState(() => template.placeholders.map(() => ''))
  const [busy, setBusy] = useState(false)
  const missing = missingIn(template, variables)
  const send = async () => {
    setBusy(true)
    const { name, language } = template
    const filled = { name, language, variables: variables.map(asVariable) }
    await sendTemplate(ticket, viewer, { template: filled, body: previewOf(template, variables) }).then(
      onClose,
      notify.failed,
    )
    setBusy(false)
  }
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        if (missing.length === 0) void send()
      }}
    >
      <Stack gap={12}>
        {template.placeholders.map((place, at) => (
          <TextInput
            key={`${place.part} ${place.name}`}
            label={labelOf(t, place)}
            description={place.example && t('example', { example: place.example })}
            data-autofocus={at === 0 || undefined}
            autoFocus={at === 0}
            maxLength={1024}
            value={variables[at] ?? ''}
            onChange={event => setVariables(variables.with(at, event.currentTarget.value))}
          />
        ))}
        <figure className={classes.preview}>
          <figcaption>{t('preview')}</figcaption>
          <p data-template-preview>{previewOf(template, variables)}</p>
          {template.buttons.map(text => (
            <span key={text} className={classes.button}>
              {text}
            </span>
          ))}
        </figure>
      </Stack>
      <DialogActions onClose={onClose}>
        <Button variant="default" onClick={onBack}>
          {t('back')}
        </Button>
        <Button type="submit" loading={busy} disabled={missing.length > 0}>
          {t('send')}
        </Button>
      </DialogActions>
    </form>
  )
}

function labelOf(t: ReturnType<typeof useCloudText>, { part, name, kind }: CloudPlaceholder) {
  if (kind !== 'text') return t('fileAddress')
  return t(part === 'body' ? 'variable' : part, { name })
}
