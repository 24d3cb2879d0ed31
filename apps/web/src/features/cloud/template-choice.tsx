import type { CloudTemplate } from '@balcao/contract/cloud.ts'
import { folded } from '@balcao/contract/words.rules.ts'
import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { errorText } from '../../platform/errors.text.ts'
import { DialogActions } from '../../ui/dialog.tsx'
import { templatesOf } from './cloud.api.ts'
import { useCloudText } from './cloud.text.ts'
import classes from './template.module.css'

interface Props {
  whatsappId: number
  onChoose(template: CloudTemplate): void
  onClose(): void
}

/** The templates of a connection, searched by their text; those that cannot be sent say why. */
export function TemplateChoice({ whatsappId, onChoose, onClose }: Props) {
  const t = useCloudText()
  const { data, error } = useQuery(templatesOf(whatsappId))
  const [word, setWord] = useState('')
  const approved = data?.filter(one => one.status === 'APPROVED')
  const found = data
    ?.filter(one => folded(`${one.name} ${one.body}`).includes(folded(word.trim())))
    .sort((a, b) => Number(b.sendable) - Number(a.sendable))
  return (
    <>
      <TextInput
        label={t('search')}
        data-autofocus
        value={word}
        onChange={event => setWord(event.currentTarget.value)}
      />
      {error && <p role="alert">{errorText(error)}</p>}
      {approved?.length === 0 && <p>{t('noTemplates')}</p>}
      {data && data.length > 0 && found?.length === 0 && <p>{t('noneFound')}</p>}
      <ul className={classes.list} aria-label={t('templates')}>
        {found?.map(one => (
          <li key={`${one.name} ${one.language}`}>
            <button
              type="button"
              className={classes.template}
              disabled={!one.sendable}
              onClick={() => onChoose(one)}
            >
              <span className={classes.name}>{one.name}</span>
              <span className={classes.about}>
                {one.language} · {categoryText(t, one.category)}
                {isRated(one.quality) && ` · ${t('qualityOf', { quality: t(one.quality) })}`}
              </span>
              <span className={classes.words}>{one.body}</span>
              {!one.sendable && <span>{whyNot(t, one)}</span>}
            </button>
          </li>
        ))}
      </ul>
      <DialogActions onClose={onClose}>{null}</DialogActions>
    </>
  )
}

type Text = ReturnType<typeof useCloudText>

const isRated = (quality: string): quality is 'YELLOW' | 'RED' => quality === 'YELLOW' || quality === 'RED'

const STATES = ['PENDING', 'REJECTED', 'PAUSED', 'DISABLED'] as const
/** Meta, "message_template_status_update webhook reference". */
const REASONS = [
  'ABUSIVE_CONTENT',
  'INVALID_FORMAT',
  'PROMOTIONAL',
  'TAG_CONTENT_MISMATCH',
  'INCORRECT_CATEGORY',
  'SCAM',
] as const

/** Why a template cannot be sent: Meta's decision, or what cannot be filled here. */
function whyNot(t: Text, { status, reason, unfilled }: CloudTemplate): string {
  if (status === 'APPROVED') return t('unfilled', { part: partText(t, unfilled) })
  const state = STATES.find(one => one === status)
  const known = REASONS.find(one => one === reason)
  return [state ? t(state) : status, known ? t(known) : reason].filter(Boolean).join(': ')
}

/** What of a template cannot be filled here. */
const UNFILLED = ['CAROUSEL', 'LIMITED_TIME_OFFER', 'PRODUCT', 'SPM', 'VOICE_CALL'] as const

function partText(t: Text, part: string) {
  const known = UNFILLED.find(one => one === part)
  return known ? t(known) : part
}

const categoryText = (t: Text, category: string) =>
  category === 'MARKETING' || category === 'UTILITY' || category === 'AUTHENTICATION' ? t(category) : category
