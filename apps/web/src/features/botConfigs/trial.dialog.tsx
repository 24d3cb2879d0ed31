import type { Prompt, TrialMessage } from '@balcao/contract/botConfigs.ts'
import { Button, TextInput } from '@mantine/core'
import { IconSend, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { ModelFailureWords } from '../integrations/model-failure.tsx'
import { applyTrialPush, clearTrial, sendInTrial, trialOf } from './botConfigs.api.ts'
import { useTrialText } from './botConfigs.trial.text.ts'
import { followTrial } from './follow-trial.ts'
import classes from './trial.module.css'

/** A conversation with a prompt as a customer would have it, with its effects on a ticket. */
export function TrialDialog({ prompt, onClose }: { prompt: Prompt; onClose(): void }) {
  const t = useTrialText()
  const { data } = useQuery(trialOf(prompt.id))
  const status = data?.status ?? 'online'
  useEffect(() => followTrial(prompt.id, push => applyTrialPush(prompt.id, push)), [prompt.id])
  return (
    <Dialog title={t('title', { name: prompt.name })} size={620} onClose={onClose}>
      <div className={classes.head}>
        <span role="status" data-status={status} className={classes.status}>
          {t(status)}
        </span>
        {/* errors of the simulator are not shown: the documents only log them */}
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={() => void clearTrial(prompt.id).catch(console.error)}
        >
          {t('clear')}
        </Button>
      </div>
      {status === 'offline' && <p className={classes.hint}>{t('offlineHint')}</p>}
      <Conversation messages={data?.messages ?? []} />
      <Writer botConfigId={prompt.id} />
    </Dialog>
  )
}

function Conversation({ messages }: { messages: TrialMessage[] }) {
  const end = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls to the newest message
  useEffect(() => {
    // newer browsers answer a promise, which is no way to clean up
    void end.current?.scrollIntoView({ block: 'nearest' })
  }, [messages.length])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it
    <div className={classes.conversation} role="log" tabIndex={0}>
      {messages.map(message => (
        <Bubble key={message.id} message={message} />
      ))}
      <div ref={end} />
    </div>
  )
}

function Bubble({ message: { body, fromMe, effect } }: { message: TrialMessage }) {
  const t = useTrialText()
  const did = effect && [
    effect.handedTo !== null && (effect.handedTo ? t('handedTo', { queue: effect.handedTo }) : t('handed')),
    effect.ended && t('ended'),
    effect.tags.length > 0 && t('tagged', { tags: effect.tags.join(', ') }),
    effect.tokens > 0 && t('cost', { tokens: effect.tokens, ms: effect.ms }),
  ]
  return (
    <article className={classes.bubble} data-mine={fromMe || undefined}>
      {body && <p>{body}</p>}
      {effect?.failure && (
        <p className={classes.failure}>
          <ModelFailureWords failure={effect.failure} detail={effect.detail} />
        </p>
      )}
      {did && <small>{did.filter(Boolean).join(' · ')}</small>}
    </article>
  )
}

const MAX = 4_000

function Writer({ botConfigId }: { botConfigId: number }) {
  const t = useTrialText()
  const [words, setWords] = useState('')
  function send(event: FormEvent) {
    event.preventDefault()
    const body = words.trim()
    if (!body) return
    setWords('')
    void sendInTrial(botConfigId, body).catch(error => {
      console.error(error)
      setWords(body)
    })
  }
  return (
    <form className={classes.writer} onSubmit={send}>
      <TextInput
        data-autofocus
        aria-label={t('write')}
        placeholder={t('write')}
        maxLength={MAX}
        value={words}
        onChange={event => setWords(event.currentTarget.value)}
      />
      <IconButton label={t('send')} type="submit" solid>
        <IconSend size={18} stroke={1.75} />
      </IconButton>
    </form>
  )
}
