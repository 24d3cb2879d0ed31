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

/** The approved templates of a connection, searched by their text; those that cannot be filled here say why. */
export function TemplateChoice({ whatsappId, onChoose, onClose }: Props) {
  const t = useCloudText()
  const { data, error } = useQuery(templatesOf(whatsappId))
  const [word, setWord] = useState('')
  const approved = data?.filter(one => one.status === 'APPROVED')
  const found = approved?.filter(one => folded(`${one.name} ${one.body}`).includes(folded(word.trim())))
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
      {approved && approved.length > 0 && found?.length === 0 && <p>{t('noneFound')}</p>}
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
              </span>
              <span className={classes.words}>{one.body}</span>
              {!one.sendable && <span>{t('unfilled', { part: partText(t, one.unfilled) })}</span>}
            </button>
          </li>
        ))}
      </ul>
      <DialogActions onClose={onClose}>{null}</DialogActions>
    </>
  )
}

/** What of a template cannot be filled here. */
const UNFILLED = ['CAROUSEL', 'LIMITED_TIME_OFFER', 'PRODUCT', 'SPM', 'VOICE_CALL'] as const

function partText(t: ReturnType<typeof useCloudText>, part: string) {
  const known = UNFILLED.find(one => one === part)
  return known ? t(known) : part
}

const categoryText = (t: ReturnType<typeof useCloudText>, category: string) =>
  category === 'MARKETING' || category === 'UTILITY' || category === 'AUTHENTICATION' ? t(category) : category
