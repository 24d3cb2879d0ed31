import {
  IconMicrophone,
  IconPlayerPause,
  IconPlayerPauseFilled,
  IconPlayerPlay,
  IconSend2,
  IconTrash,
} from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { addressOfBytes, forgetBytes } from '../../../platform/bytes.ts'
import { notify } from '../../../platform/notify.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { pause, play, stopPlaying, usePlaying } from '../../media/player.ts'
import { clockTime } from '../../media/words.ts'
import classes from './composer.module.css'
import { useRecorderText } from './composer.recorder.text.ts'
import { useComposeText } from './composer.text.ts'
import { discardedNotice, useHeld } from './held.ts'
import type { useAnsweredMeanwhile } from './meanwhile.ts'
import MeanwhileAsked from './meanwhile-asked.tsx'
import {
  discardRecording,
  finishRecording,
  goOnRecording,
  openMicrophone,
  pauseRecording,
} from './recording.ts'
import { soFarOf } from './so-far.ts'

/** Interval at which the customer's "recording" indicator is renewed before it expires. */
const RENEW_MS = 5_000
const UNDO_SECONDS = 6

interface Props {
  ticketId: number
  /** What others answered since the recording began: sending it asks once. */
  meanwhile?: ReturnType<typeof useAnsweredMeanwhile>
  onState(state: 'recording' | 'paused'): void
  onRecorded(file: File, seconds: number): void
}

/** Of the phone of a simulator. */
const NOBODY = { shown: [], putAside() {}, asks: () => false }

/**
 * Replaces the composer while recording: duration, level, send or discard. Paused while another ticket is
 * shown, and resumed manually.
 */
export default function VoiceRecorder({ ticketId, meanwhile = NOBODY, onState, onRecorded }: Props) {
  const t = useComposeText()
  const r = useRecorderText()
  const { recording, state, seconds, bars, before } = useHeld(ticketId).recording!
  const onRefused = (why: Parameters<Parameters<typeof openMicrophone>[1]>[0]) =>
    notify.warn(useRecorderText.read(why), { seconds: 9 })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the microphone is opened once for a ticket
  useEffect(() => {
    openMicrophone(ticketId, onRefused)
    return () => pauseRecording(ticketId)
  }, [ticketId])
  // biome-ignore lint/correctness/useExhaustiveDependencies: reports only changes of its own state
  useEffect(() => {
    if (state !== 'recording') return
    onState('recording')
    const timer = setInterval(() => onState('recording'), RENEW_MS)
    return () => {
      clearInterval(timer)
      onState('paused')
    }
  }, [state])
  const discard = () => {
    const undo = discardRecording(ticketId)
    if (!undo) return
    const action = { label: t('undo'), act: undo }
    notify.done(t('recordDiscarded'), { id: discardedNotice(ticketId), seconds: UNDO_SECONDS, action })
  }
  const toggle = () => (state === 'recording' ? pauseRecording(ticketId) : goOnRecording(ticketId, onRefused))
  const send = async () => {
    if (meanwhile.asks()) return pauseRecording(ticketId)
    const made = await finishRecording(ticketId)
    if (made) onRecorded(made.file, made.seconds)
    else notify.info(r('tooShort'))
  }
  return (
    <fieldset
      className={classes.recorder}
      aria-label={r('recordingFor')}
      data-state={state}
      // a tooltip that is open keeps Escape for itself
      onKeyDownCapture={event => {
        if (event.key === 'Escape') meanwhile.shown.length > 0 ? meanwhile.putAside() : discard()
      }}
    >
      {meanwhile.shown.length > 0 && (
        <span className={classes.asked}>
          <MeanwhileAsked messages={meanwhile.shown} onSend={() => void send()} onEdit={meanwhile.putAside} />
        </span>
      )}
      <IconButton label={t('discardRecord')} shortcut="Esc" onClick={discard}>
        <IconTrash size={19} stroke={1.75} />
      </IconButton>
      <span className={classes.dot} aria-hidden />
      <time className={classes.timer}>{clockTime(seconds)}</time>
      <span className={classes.bars} aria-hidden>
        {bars.map(({ at, loud }) => (
          <span key={at} style={{ height: `${Math.max(8, loud * 100)}%` }} />
        ))}
      </span>
      {state === 'paused' && <Listen of={{ recording, before }} id={`recording ${ticketId} ${seconds}`} />}
      <IconButton
        label={r(state === 'paused' ? 'goOnRecord' : 'pauseRecord')}
        disabled={state === 'opening' || state === 'sending'}
        onClick={toggle}
      >
        {state === 'paused' ? (
          <IconMicrophone size={19} stroke={1.75} />
        ) : (
          <IconPlayerPause size={19} stroke={1.75} />
        )}
      </IconButton>
      <SendButton
        label={r('sendRecord')}
        disabled={state === 'opening' || state === 'sending'}
        onSend={() => void send()}
      />
    </fieldset>
  )
}

/** The recording so far, before it is sent. */
function Listen({ of, id }: { of: Parameters<typeof soFarOf>[0]; id: string }) {
  const r = useRecorderText()
  const [made] = useState(() => soFarOf(of))
  const playing = usePlaying(id)
  useEffect(
    () => () => {
      stopPlaying(id)
      forgetBytes(made)
    },
    [id, made],
  )
  const runs = playing !== null && !playing.paused
  const listen = () => play(id, addressOfBytes(made), 0, () => notify.warn(r('notPlayed')))
  return (
    <IconButton label={r(runs ? 'pauseListening' : 'listenRecord')} onClick={runs ? pause : listen}>
      {runs ? <IconPlayerPauseFilled size={19} /> : <IconPlayerPlay size={19} stroke={1.75} />}
    </IconButton>
  )
}

/** Gets the focus once it is enabled, so that Enter sends and Escape reaches the recorder. */
function SendButton({ label, disabled, onSend }: { label: string; disabled: boolean; onSend(): void }) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!disabled) button.current?.focus()
  }, [disabled])
  return (
    <IconButton ref={button} solid label={label} disabled={disabled} onClick={onSend}>
      <IconSend2 size={19} stroke={1.75} />
    </IconButton>
  )
}
