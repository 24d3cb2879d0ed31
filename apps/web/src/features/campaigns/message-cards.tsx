import { campaignFileTypes, MAX_MESSAGES } from '@balcao/contract/campaignShapes.ts'
import { campaignPlaces } from '@balcao/contract/campaigns.words.rules.ts'
import { Button, FileButton } from '@mantine/core'
import { IconPlus, IconTrash, IconUpload, IconX } from '@tabler/icons-react'
import { notify } from '../../platform/notify.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { checkFiles } from '../media/files.ts'
import { MessageField } from '../schedules/message-field.tsx'
import { useCreatorText } from './campaigns.creator.text.ts'
import classes from './campaigns.module.css'
import { type Draft, type DraftMessage, emptyMessage } from './creator-values.ts'
import { MessageTemplate, useOfficialConnection } from './message-template.tsx'

const ENDINGS = '.png,.jpg,.jpeg,.pdf,.mp4,.mp3,.ogg'

interface Props {
  draft: Draft
  faults: Map<string, string>
  disabled: boolean
  onChange(some: Partial<Draft>): void
}

/** The greeting, and the messages that are sent in turn after it. */
export function MessageCards({ draft: { greeting, messages, setupId }, faults, disabled, onChange }: Props) {
  const t = useCreatorText()
  const officialLine = useOfficialConnection(setupId)
  if (disabled) return null
  const change = (key: string, some: Partial<DraftMessage>) =>
    onChange({ messages: messages.map(one => (one.key === key ? { ...one, ...some } : one)) })
  return (
    <>
      <MessageField
        label={t('greeting')}
        value={greeting}
        variables={campaignPlaces}
        error={faults.get('greeting')}
        onChange={greeting => onChange({ greeting })}
      />
      <section className={classes.column} aria-labelledby="campaign-messages">
        <h2 id="campaign-messages" className={classes.head}>
          {t('messages')}
        </h2>
        <p className={classes.hint}>{t('messagesHint')}</p>
        {messages.map((message, at) => (
          <MessageCard
            key={message.key}
            message={message}
            number={at + 1}
            officialLine={officialLine}
            error={faults.get(message.key)}
            onChange={some => change(message.key, some)}
            onRemove={() => onChange({ messages: messages.filter(one => one !== message) })}
          />
        ))}
        {faults.get('messages') && <p role="alert">{faults.get('messages')}</p>}
        {messages.length < MAX_MESSAGES && (
          <div>
            <Button
              variant="default"
              size="xs"
              leftSection={<IconPlus size={14} />}
              onClick={() => onChange({ messages: [...messages, emptyMessage()] })}
            >
              {t('addMessage')}
            </Button>
          </div>
        )}
      </section>
    </>
  )
}

interface CardProps {
  message: DraftMessage
  number: number
  /** A connection of the official API that the setup sends over. */
  officialLine: number | null
  error: string | undefined
  onChange(some: Partial<DraftMessage>): void
  onRemove(): void
}

function MessageCard({ message, number, officialLine, error, onChange, onRemove }: CardProps) {
  const t = useCreatorText()
  return (
    <div className={classes.card}>
      <div className={classes.corner}>
        <IconButton label={t('removeMessage', { number })} onClick={onRemove}>
          <IconTrash size={18} stroke={1.75} />
        </IconButton>
      </div>
      <MessageField
        label={t('message', { number })}
        value={message.body}
        variables={campaignPlaces}
        error={error}
        onChange={body => onChange({ body })}
      />
      <MessageFile message={message} onChange={onChange} />
      {(officialLine !== null || message.template) && (
        <MessageTemplate
          template={message.template}
          number={number}
          officialLine={officialLine}
          hasFile={message.file !== null || message.mediaUrl !== null}
          onChange={template => onChange({ template })}
        />
      )}
    </div>
  )
}

function MessageFile({ message, onChange }: Pick<CardProps, 'message' | 'onChange'>) {
  const t = useCreatorText()
  const name = message.file?.name ?? message.mediaName
  async function choose(file: File | null) {
    if (!file) return
    const isKnown = campaignFileTypes.includes(file.type)
    const { taken } = isKnown ? await checkFiles([file], 0) : { taken: [] }
    if (taken.length === 0) return notify.warn(t('badFile', { name: file.name }))
    onChange({ file, mediaUrl: null, mediaName: '' })
  }
  return (
    <div className={classes.file}>
      <FileButton onChange={file => void choose(file)} accept={ENDINGS}>
        {props => (
          <Button {...props} variant="default" size="xs" leftSection={<IconUpload size={14} aria-hidden />}>
            {t(name ? 'otherFile' : 'chooseFile')}
          </Button>
        )}
      </FileButton>
      <span className="one-line">{name || t('files')}</span>
      {name && (
        <IconButton
          label={t('removeFile', { name })}
          onClick={() => onChange({ file: null, mediaUrl: null, mediaName: '' })}
        >
          <IconX size={16} stroke={1.75} />
        </IconButton>
      )}
    </div>
  )
}
