import { MAX_BODY } from '@balcao/contract/messages.input.ts'
import type { Message } from '@balcao/contract/messages.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { Textarea } from '@mantine/core'
import { IconAlertTriangle, IconMicrophone, IconSend2, IconX } from '@tabler/icons-react'
import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef } from 'react'
import { drafts } from '../../../platform/drafts.ts'
import { notify } from '../../../platform/notify.tsx'
import { useUser, useViewer } from '../../../platform/session.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { soon } from '../../../ui/soon.tsx'
import { FlowSuggestions } from '../../flows/flow-suggestions.tsx'
import { briefly, writerOf } from '../../media/words.ts'
import { QuickAnswerSuggestions } from '../../quickAnswers/suggestions.tsx'
import { useMessageText } from '../messages.text.ts'
import { usePublishTyping } from '../messages.typing.ts'
import { sendVoice } from '../sending/send.ts'
import { AttachmentTray, attach, chosenFiles, filesOf, whenAccepted } from './attachments.tsx'
import classes from './composer.module.css'
import { useComposeText } from './composer.text.ts'
import { chosenTicket } from './early-keys.ts'
import { EmojiCompletion } from './emoji-completion.tsx'
import { beginRecording, useHeld } from './held.ts'
import { quote, restoreQuote, saveNow } from './kept-drafts.ts'
import { useAnsweredMeanwhile } from './meanwhile.ts'
import { MemberCompletion } from './member-completion.tsx'
import { Sign } from './sign.tsx'
import { ToNote } from './to-note.tsx'
import { ComposerTools } from './tools.tsx'
import { useWords } from './words.ts'
import { sendWritten } from './written.ts'

const MeanwhileAsked = soon(() => import('./meanwhile-asked.tsx'))
const VoiceRecorder = soon(() => import('./voice-recorder.tsx'), {
  instead: <div className={classes.composer} />,
})

/** The composer: text, files, a recording. */
export function OpenComposer({ ticket, onEditLast }: { ticket: Ticket; onEditLast(): void }) {
  const t = useMessageText()
  const c = useComposeText()
  const viewer = useViewer()
  const input = useRef<HTMLTextAreaElement>(null)
  const { body, caret, setCaret, write, insert } = useWords(ticket.id, input)
  const { files, quoted, recording } = useHeld(ticket.id)
  const { remove, toggleSticker, takeAll } = chosenFiles(ticket.id)
  const onQuoteDone = () => quote(ticket.id, null)
  const publish = usePublishTyping(ticket.id)
  const empty = body.trim() === '' && files.length === 0
  const meanwhile = useAnsweredMeanwhile(ticket.id, viewer.id, !empty || recording !== null)
  // on touch devices the focus would raise the keyboard over the messages
  useEffect(() => {
    if (!isTouch()) input.current?.focus({ preventScroll: true })
  }, [])
  useEffect(() => {
    if (quoted) input.current?.focus()
  }, [quoted])
  useEffect(() => restoreQuote(ticket.id), [ticket.id])

  /** Of a conversation that was left nothing is sent: its field may still be on the screen. */
  function send() {
    if (chosenTicket() !== ticket.id) return
    // files pasted a moment ago are sent with this text
    if (whenAccepted(ticket.id, send)) return
    if (body.trim().length > MAX_BODY) return input.current?.focus()
    if (!empty && meanwhile.asks()) return input.current?.focus()
    if (!sendWritten(ticket, viewer, takeAll())) return
    publish('paused')
    input.current?.focus()
  }

  const attachAll = (given: File[]) =>
    void attach(ticket.id, given).then(() => isTouch() || input.current?.focus())
  if (recording)
    return (
      <VoiceRecorder
        ticketId={ticket.id}
        meanwhile={meanwhile}
        onState={state => publish(state)}
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
      <EmojiCompletion input={input} body={body} caret={caret} onPick={insert} />
      {ticket.isGroup && (
        <MemberCompletion ticketId={ticket.id} input={input} body={body} caret={caret} onPick={insert} />
      )}
      <form
        className={classes.composer}
        onSubmit={event => {
          event.preventDefault()
          send()
        }}
      >
        {meanwhile.shown.length > 0 && (
          <MeanwhileAsked messages={meanwhile.shown} onSend={send} onEdit={meanwhile.putAside} />
        )}
        {quoted && <Quoted message={quoted} onCancel={onQuoteDone} />}
        <AttachmentTray files={files} onRemove={remove} onSticker={toggleSticker} />
        {body && ticket.user && ticket.user.id !== viewer.id && (
          <span className={classes.ofColleague} role="status">
            <IconAlertTriangle size={14} aria-hidden />
            {c('ofColleague', { name: ticket.user.name })}
          </span>
        )}
        <TooLong body={body} />
        {viewer.signMessage && !viewer.authorization.disableSignature && body && (
          <span className={classes.signature}>{viewer.name}:</span>
        )}
        <Textarea
          ref={input}
          variant="unstyled"
          autosize
          minRows={1}
          maxRows={3}
          className={classes.text}
          dir="auto"
          aria-label={t('write')}
          placeholder={files.length > 0 ? c('caption') : t('write')}
          value={body}
          onSelect={event => setCaret(event.currentTarget.selectionStart)}
          onChange={event => {
            setCaret(event.currentTarget.selectionStart)
            drafts.keep(ticket.id, event.currentTarget.value)
            publish(event.currentTarget.value.trim() === '' ? 'paused' : 'composing')
          }}
          onBlur={() => saveNow(ticket.id)}
          onPaste={event => {
            const pasted = filesOf(event.clipboardData)
            if (pasted.length === 0) return refuseHuge(event)
            event.preventDefault()
            attachAll(pasted)
          }}
          onKeyDown={event => {
            if (event.key === 'Escape' && meanwhile.shown.length > 0) return meanwhile.putAside()
            if (event.key === 'Escape' && quoted) onQuoteDone()
            if (event.key === 'ArrowUp' && isPlain(event) && body === '' && files.length === 0) {
              event.preventDefault()
              return onEditLast()
            }
            // a phone's keyboard has no other key for a new line
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || isTouch()) return
            event.preventDefault()
            send()
          }}
        />
        <div className={classes.tools}>
          <ComposerTools
            ticket={ticket}
            body={body}
            onFiles={attachAll}
            onPick={write}
            onEmoji={emoji => insert(emoji)}
            onClosed={() => input.current?.focus()}
          />
          <span className={classes.gap} />
          <ToNote ticketId={ticket.id} />
          <Sign />
          {empty ? (
            <IconButton solid label={c('record')} onClick={() => beginRecording(ticket.id)}>
              <IconMicrophone size={19} stroke={1.75} />
            </IconButton>
          ) : (
            <IconButton solid type="submit" label={t('send')} shortcut="Enter">
              <IconSend2 size={19} stroke={1.75} />
            </IconButton>
          )}
        </div>
      </form>
    </>
  )
}

/** Far beyond a message, a field would be slow: nothing of it is pasted, and the clipboard has it. */
function refuseHuge(event: ClipboardEvent) {
  const { length } = event.clipboardData.getData('text/plain')
  if (length <= MOST_PASTED) return
  event.preventDefault()
  notify.warn(useComposeText.read('pastedHuge', { count: length, limit: MOST_PASTED }), { seconds: 9 })
}
const MOST_PASTED = 4 * MAX_BODY

/** Above the limit the whole text stays in the field, and is not sent. */
function TooLong({ body }: { body: string }) {
  const c = useComposeText()
  const count = body.trim().length
  if (count <= MAX_BODY) return null
  return (
    <span className={classes.ofColleague} role="alert">
      <IconAlertTriangle size={14} aria-hidden />
      {c('tooLong', { count, limit: MAX_BODY })}
    </span>
  )
}

const isPlain = ({ altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent) =>
  !altKey && !ctrlKey && !metaKey && !shiftKey

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
