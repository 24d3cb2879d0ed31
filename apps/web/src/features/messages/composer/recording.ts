import { type HeldRecording, held, hold } from './held.ts'
import { record } from './voice.ts'

const BARS = 48
const BAR_MS = 120

const now = (ticketId: number) => held(ticketId).recording
const change = (ticketId: number, part: Partial<HeldRecording>) => {
  const recording = now(ticketId)
  if (recording) hold(ticketId, { recording: { ...recording, ...part } })
}

/** Opens the microphone unless it is open; a failure is shown, and the composer comes back. */
export function openMicrophone(
  ticketId: number,
  onRefused: (why: ReturnType<typeof refusalOf>) => void,
): void {
  const begun = now(ticketId)
  if (!begun || begun.recording || begun.state !== 'opening') return
  let loudest = 0
  let drawn = 0
  const onLevel = (seconds: number, loud: number) => {
    loudest = Math.max(loudest, loud)
    if ((seconds - drawn) * 1000 < BAR_MS) return
    drawn = seconds
    const bar = { at: seconds, loud: loudest }
    loudest = 0
    change(ticketId, { seconds, bars: [...(now(ticketId)?.bars ?? []).slice(1 - BARS), bar] })
  }
  open(onLevel).then(
    opened => {
      // discarded or restarted meanwhile
      if (now(ticketId) !== begun) return opened.discard()
      change(ticketId, { recording: opened, state: 'recording' })
    },
    (error: unknown) => {
      if (now(ticketId) !== begun) return
      hold(ticketId, { recording: null })
      onRefused(refusalOf(error))
    },
  )
}

export function pauseRecording(ticketId: number) {
  const recording = now(ticketId)
  // one that is still being opened is cancelled
  if (recording?.state === 'opening') return discardRecording(ticketId)
  if (recording?.state !== 'recording') return
  recording.recording?.pause()
  change(ticketId, { state: 'paused' })
}

export function goOnRecording(ticketId: number) {
  now(ticketId)?.recording?.goOn()
  change(ticketId, { state: 'recording' })
}

export function discardRecording(ticketId: number) {
  now(ticketId)?.recording?.discard()
  hold(ticketId, { recording: null })
}

/** Ends it; null when it was too short to be meant. */
export async function finishRecording(ticketId: number) {
  change(ticketId, { state: 'sending' })
  const made = await now(ticketId)?.recording?.finish()
  hold(ticketId, { recording: null })
  return made ?? null
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
