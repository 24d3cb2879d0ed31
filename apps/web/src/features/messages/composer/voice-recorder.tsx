import { IconPlayerPause, IconPlayerPlay, IconSend2, IconTrash } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { notify } from '../../../platform/notify.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { clockTime } from '../media/words.ts'
import classes from './composer.module.css'
import { useComposeText } from './composer.text.ts'
import { type Recording, record } from './voice.ts'

const BARS = 48
const BAR_MS = 120
/** The customer is told again before it is forgotten. */
const TOLD_MS = 5_000

interface Props {
  onState(state: 'recording' | 'paused'): void
  onRecorded(file: File, seconds: number): void
  onDone(): void
}

type State = 'opening' | 'recording' | 'paused' | 'sending'

/** In place of the composer while one speaks: how long, how loud, then away with it or off it goes. */
export default function VoiceRecorder({ onState, onRecorded, onDone }: Props) {
  const t = useComposeText()
  const { recording, state, setState, seconds, bars } = useRecording(onDone)
  // biome-ignore lint/correctness/useExhaustiveDependencies: told by what happens here alone
  useEffect(() => {
    if (state !== 'recording') return
    onState('recording')
    const timer = setInterval(() => onState('recording'), TOLD_MS)
    return () => {
      clearInterval(timer)
      onState('paused')
    }
  }, [state])
  const discard = () => {
    recording.current?.discard()
    onDone()
  }
  const toggle = () => {
    if (state === 'recording') recording.current?.pause()
    else recording.current?.goOn()
    setState(state === 'recording' ? 'paused' : 'recording')
  }
  const send = async () => {
    setState('sending')
    const made = await recording.current?.finish()
    if (made) onRecorded(made.file, made.seconds)
    else notify.info(t('tooShort'))
    onDone()
  }
  return (
    <fieldset
      className={classes.recorder}
      aria-label={t('recordingFor')}
      data-state={state}
      onKeyDown={event => {
        if (event.key === 'Escape') discard()
      }}
    >
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
      <IconButton
        label={t(state === 'paused' ? 'goOnRecord' : 'pauseRecord')}
        disabled={state === 'opening' || state === 'sending'}
        onClick={toggle}
      >
        {state === 'paused' ? (
          <IconPlayerPlay size={19} stroke={1.75} />
        ) : (
          <IconPlayerPause size={19} stroke={1.75} />
        )}
      </IconButton>
      <SendButton
        label={t('sendRecord')}
        disabled={state === 'opening' || state === 'sending'}
        onSend={() => void send()}
      />
    </fieldset>
  )
}

/** Takes the focus when it can be used, so that Enter sends and Escape is heard. */
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

/** Opens the microphone; what it refuses is said in words, and the composer comes back. */
function useRecording(onDone: () => void) {
  const t = useComposeText()
  const recording = useRef<Recording | null>(null)
  const [state, setState] = useState<State>('opening')
  const [seconds, setSeconds] = useState(0)
  const [bars, setBars] = useState<{ at: number; loud: number }[]>([])
  const newest = useRef({ onDone, t })
  newest.current = { onDone, t }
  useEffect(() => {
    let gone = false
    let loudest = 0
    let drawn = 0
    const heard = (now: number, loud: number) => {
      loudest = Math.max(loudest, loud)
      if ((now - drawn) * 1000 < BAR_MS) return
      drawn = now
      const bar = { at: now, loud: loudest }
      loudest = 0
      setSeconds(now)
      setBars(before => [...before.slice(1 - BARS), bar])
    }
    open(heard).then(
      opened => {
        if (gone) return opened.discard()
        recording.current = opened
        setState('recording')
      },
      (error: unknown) => {
        if (gone) return
        notify.warn(newest.current.t(refusalOf(error)), { seconds: 9 })
        newest.current.onDone()
      },
    )
    return () => {
      gone = true
      recording.current?.discard()
    }
  }, [])
  return { recording, state, setState, seconds, bars }
}

async function open(heard: (seconds: number, loud: number) => void) {
  if (!window.isSecureContext || !navigator.mediaDevices) throw new DOMException('no https', 'SecurityError')
  return record(heard)
}

function refusalOf(error: unknown) {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'SecurityError') return 'needsHttps'
  if (name === 'NotFoundError') return 'noMicrophone'
  return 'microphoneRefused'
}
