import { MAX_BODY, type Message } from '@balcao/contract/messages.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { Textarea } from '@mantine/core'
import { IconMicrophone, IconSend2, IconX } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { drafts, useDraft } from '../../../platform/drafts.ts'
import { useUser, useViewer } from '../../../platform/session.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { soon } from '../../../ui/soon.tsx'
import { FlowButton, FlowSuggestions } from '../../flows/flow-suggestions.tsx'
import { QuickAnswerButton } from '../../quickAnswers/suggest-button.tsx'
import { QuickAnswerSuggestions } from '../../quickAnswers/suggestions.tsx'
import { briefly, writerOf } from '../media/words.ts'
import { useMessageText } from '../messages.text.ts'
import { useTellTyping } from '../messages.typing.ts'
import { sendFiles, sendMessage, sendVoice } from '../sending/send.ts'
import { AttachmentTray, useAttachments } from './attachments.tsx'
import classes from './composer.module.css'
import { useComposeText } from './composer.text.ts'
import { Sign } from './sign.tsx'
import { ComposerTools } from './tools.tsx'

const VoiceRecorder = soon(() => import('./voice-recorder.tsx'), <div className={classes.composer} />)

interface Props {
  ticket: Ticket
  quoted: Message | null
  onQuoteDone(): void
}

/** The place to write: words, files, a recording. */
export function OpenComposer({ ticket, quoted, onQuoteDone }: Props) {
  const t = useMessageText()
  const c = useComposeText()
  const viewer = useViewer()
  const body = useDraft(ticket.id)
  const input = useRef<HTMLTextAreaElement>(null)
  const [recording, setRecording] = useState(false)
  const attached = useAttachments(ticket.id)
  const tell = useTellTyping(ticket.id)
  // under a finger the focus would raise the keyboard over what one came to read
  useEffect(() => {
    if (!isTouch()) input.current?.focus({ preventScroll: true })
  }, [])
  useEffect(() => {
    if (quoted) input.current?.focus()
  }, [quoted])

  /** The draft is dropped before the message leaves, so that it cannot come back after it. */
  function send() {
    const text = body.trim()
    if (text === '' && attached.files.length === 0) return
    drafts.drop(ticket.id)
    tell('paused')
    if (attached.files.length > 0) sendFiles(ticket, viewer, attached.takeAll(), text, quoted)
    else sendMessage(ticket, viewer, text, quoted)
    onQuoteDone()
    input.current?.focus()
  }

  function write(text: string) {
    drafts.keep(ticket.id, text)
    input.current?.focus()
  }

  function insert(emoji: string) {
    const { selectionStart: from = body.length, selectionEnd: to = body.length } = input.current ?? {}
    drafts.keep(ticket.id, body.slice(0, from) + emoji + body.slice(to))
    const after = from + emoji.length
    requestAnimationFrame(() => input.current?.setSelectionRange(after, after))
  }

  const empty = body.trim() === '' && attached.files.length === 0
  if (recording)
    return (
      <VoiceRecorder
        onState={state => tell(state)}
        onDone={() => setRecording(false)}
        onRecorded={(file, seconds) => {
          sendVoice(ticket, viewer, file, seconds, quoted)
          onQuoteDone()
        }}
      />
    )
  return (
    <>
      <QuickAnswerSuggestions ticket={ticket} input={input} body={body} onPick={write} />
      <FlowSuggestions ticket={ticket} input={input} body={body} onPick={write} />
      <form
        className={classes.composer}
        data-dropping={attached.dropping || undefined}
        {...attached.drop}
        onSubmit={event => {
          event.preventDefault()
          send()
        }}
      >
        {attached.dropping && <div className={classes.drop}>{c('drop')}</div>}
        {quoted && <Quoted message={quoted} onCancel={onQuoteDone} />}
        <AttachmentTray
          files={attached.files}
          onRemove={attached.remove}
          onSticker={attached.toggleSticker}
        />
        {viewer.signMessage && !viewer.authorization.disableSignature && body && (
          <span className={classes.signature}>{viewer.name}:</span>
        )}
        <Textarea
          ref={input}
          variant="unstyled"
          autosize
          minRows={1}
          maxRows={3}
          maxLength={MAX_BODY}
          className={classes.text}
          dir="auto"
          aria-label={t('write')}
          placeholder={attached.files.length > 0 ? c('caption') : t('write')}
          value={body}
          onChange={event => {
            drafts.keep(ticket.id, event.currentTarget.value)
            tell(event.currentTarget.value.trim() === '' ? 'paused' : 'composing')
          }}
          onPaste={event => {
            const files = [...event.clipboardData.files]
            if (files.length === 0) return
            event.preventDefault()
            void attached.add(files)
          }}
          onKeyDown={event => {
            if (event.key === 'Escape' && quoted) onQuoteDone()
            // a phone's keyboard has no other way to a new line
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || isTouch()) return
            event.preventDefault()
            send()
          }}
        />
        <div className={classes.tools}>
          <ComposerTools
            ticket={ticket}
            quoted={quoted}
            onQuoteDone={onQuoteDone}
            onFiles={files => void attached.add(files)}
            onEmoji={insert}
            onClosed={() => input.current?.focus()}
          />
          <QuickAnswerButton body={body} onPick={write} />
          <FlowButton body={body} onPick={write} />
          <span className={classes.gap} />
          <Sign />
          <IconButton label={c('record')} onClick={() => setRecording(true)}>
            <IconMicrophone size={19} stroke={1.75} />
          </IconButton>
          <IconButton solid type="submit" label={t('send')} shortcut="Enter" disabled={empty}>
            <IconSend2 size={19} stroke={1.75} />
          </IconButton>
        </div>
      </form>
    </>
  )
}

const isTouch = () => window.matchMedia('(pointer: coarse)').matches

function Quoted({ message, onCancel }: { message: Message; onCancel(): void }) {
  const t = useMessageText()
  const name = writerOf(message, useUser().id)
  return (
    <div className={classes.quoted}>
      <span>
        <strong>{t('replyingTo', { name })}</strong>
        <span className="one-line">{briefly(message)}</span>
      </span>
      <IconButton small label={t('cancelReply')} shortcut="Esc" onClick={onCancel}>
        <IconX size={16} />
      </IconButton>
    </div>
  )
}
