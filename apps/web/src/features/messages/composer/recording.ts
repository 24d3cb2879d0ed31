import { type HeldRecording, held, hold } from './held.ts'
import { soFarOf, VOICE_TYPE } from './so-far.ts'
import { LEAST_BYTES, record } from './voice.ts'

const BARS = 48
const BAR_MS = 120

const now = (ticketId: number) => held(ticketId).recording
const change = (ticketId: number, part: Partial<HeldRecording>) => {
  const recording = now(ticketId)
  if (recording) hold(ticketId, { recording: { ...recording, ...part } })
}

/** Opens the microphone unless it is open; a failure is shown, and the composer comes back, or what was recorded before. */
export function openMicrophone(
  ticketId: number,
  onRefused: (why: ReturnType<typeof refusalOf>) => void,
): void {
  const begun = now(ticketId)
  if (!begun || begun.recording || begun.state !== 'opening') return
  const from = begun.before?.seconds ?? 0
  let loudest = 0
  let drawn = 0
  const onLevel = (seconds: number, loud: number) => {
    loudest = Math.max(loudest, loud)
    if ((seconds - drawn) * 1000 < BAR_MS) return
    drawn = seconds
    const bar = { at: from + seconds, loud: loudest }
    loudest = 0
    const bars = [...(now(ticketId)?.bars ?? []).slice(1 - BARS), bar]
    change(ticketId, { seconds: from + seconds, bars })
  }
  open(onLevel).then(
    opened => {
      // discarded or restarted meanwhile
      if (now(ticketId) !== begun) return opened.discard()
      change(ticketId, { recording: opened, state: 'recording' })
    },
    (error: unknown) => {
      if (now(ticketId) !== begun) return
      if (begun.before) change(ticketId, { state: 'paused' })
      else hold(ticketId, { recording: null })
      onRefused(refusalOf(error))
    },
  )
}

export function pauseRecording(ticketId: number) {
  const recording = now(ticketId)
  // one that is still being opened is cancelled
  if (recording?.state === 'opening' && !recording.before) return void discardRecording(ticketId)
  if (recording?.state === 'opening') return change(ticketId, { state: 'paused' })
  if (recording?.state !== 'recording') return
  recording.recording?.pause()
  change(ticketId, { state: 'paused' })
}

/** Goes on, by the microphone that is open or by one that is opened with `onRefused` for a failure. */
export function goOnRecording(ticketId: number, onRefused: Parameters<typeof openMicrophone>[1]) {
  const recording = now(ticketId)?.recording
  change(ticketId, { state: recording ? 'recording' : 'opening' })
  if (recording) recording.goOn()
  else openMicrophone(ticketId, onRefused)
}

/** Answers what brings it back, where it was long enough to be meant. */
export function discardRecording(ticketId: number): (() => void) | null {
  const recording = now(ticketId)
  if (!recording) return null
  const { seconds, bars } = recording
  const made = soFarOf(recording)
  recording.recording?.discard()
  hold(ticketId, { recording: null })
  if (made.size < LEAST_BYTES) return null
  return () => {
    if (now(ticketId)) return
    hold(ticketId, {
      recording: { recording: null, state: 'paused', seconds, bars, before: { made, seconds } },
    })
  }
}

/** Ends it; null when it was too short to be meant. */
export async function finishRecording(ticketId: number): Promise<{ file: File; seconds: number } | null> {
  const ended = now(ticketId)
  change(ticketId, { state: 'sending' })
  const last = await ended?.recording?.finish()
  hold(ticketId, { recording: null })
  const parts = [...(ended?.before ? [ended.before.made] : []), ...(last ? [last.made] : [])]
  const file = new File(parts, 'audio.mp3', { type: VOICE_TYPE })
  const seconds = Math.round((ended?.before?.seconds ?? 0) + (last?.seconds ?? 0))
  return file.size < LEAST_BYTES ? null : { file, seconds }
}

async function open(onLevel: (seconds: number, loud: number) => void) {
  if (!window.isSecureContext || !navigator.mediaDevices) throw new DOMException('no https', 'SecurityError')
  return record(onLevel)
}

function refusalOf(error: unknown) {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'SecurityError') return 'needsHttps'
  if (name === 'NotFoundError') return 'noMicrophone'
  return 'microphoneRefused'
}
