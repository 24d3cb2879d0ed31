/** What is announced by a sound. */
export const soundKinds = ['waiting', 'message', 'transfer'] as const
export type SoundKind = (typeof soundKinds)[number]

/** Notes of a tune: the pitch in hertz, and its start in seconds. */
const notes = {
  bell: [
    [880, 0],
    [1_174.7, 0.09],
  ],
  chime: [
    [1_046.5, 0],
    [1_318.5, 0.12],
    [1_568, 0.24],
  ],
  fall: [
    [783.99, 0],
    [523.25, 0.14],
  ],
  drop: [[1_396.9, 0]],
} as const

export type Tune = keyof typeof notes
export const tunes = Object.keys(notes) as Tune[]
export type Sounds = Record<SoundKind, Tune | 'off'>

/** As long as nothing was chosen on this device. */
const USUAL: Sounds = { waiting: 'chime', message: 'bell', transfer: 'fall' }
const KEPT = 'sounds'

/** What this device plays. */
export const sounds = {
  read: (): Sounds => ({ ...USUAL, ...(JSON.parse(localStorage.getItem(KEPT) ?? '{}') as Partial<Sounds>) }),
  keep: (chosen: Sounds) => localStorage.setItem(KEPT, JSON.stringify(chosen)),
}

let context: AudioContext | undefined
/** Many messages at once, after a reconnection, are one sound; then one in two seconds at most. */
const PAUSE_MS = 2_000
let last = Number.NEGATIVE_INFINITY

/** When a tab of this browser rang last, or showed what it would ring for. */
const RANG = 'rang'
/** Of several tabs the one that is seen rings, then one in which somebody pressed something: others may have no sound. */
const HIDDEN_MS = 150
const UNTOUCHED_MS = 300

/** The sound of a kind at volume/100, unless another was played a moment ago, in any tab. */
export function ring(kind: SoundKind, volume: number) {
  const tune = sounds.read()[kind]
  if (tune === 'off' || volume <= 0 || performance.now() - last < PAUSE_MS) return
  last = performance.now()
  const wait = turnOf(document.visibilityState, navigator.userActivation?.hasBeenActive ?? true)
  if (wait === 0) ringAlone(tune, volume)
  else setTimeout(() => ringAlone(tune, volume), wait)
}

/** Somebody sees it in this tab: the others need not ring. */
export const ringsNot = () => localStorage.setItem(RANG, String(Date.now()))

const turnOf = (visibility: DocumentVisibilityState, isTouched: boolean) =>
  (visibility === 'hidden' ? HIDDEN_MS : 0) + (isTouched ? 0 : UNTOUCHED_MS)

function ringAlone(tune: Tune, volume: number) {
  const ago = Date.now() - Number(localStorage.getItem(RANG) ?? 0)
  // a clock that was set back is no reason for silence
  if (ago >= 0 && ago < PAUSE_MS) return
  ringsNot()
  playTune(tune, volume)
}

/** Browsers that require a gesture stay silent until there was one. */
export function playTune(tune: Tune, volume: number) {
  if (volume <= 0) return
  context ??= new AudioContext()
  if (context.state === 'suspended') void context.resume()
  for (const [pitch, after] of notes[tune]) note(context, pitch, after, volume / 100)
}

function note(audio: AudioContext, pitch: number, after: number, loudness: number) {
  const tone = audio.createOscillator()
  const gain = audio.createGain()
  const at = audio.currentTime + after
  tone.frequency.value = pitch
  gain.gain.setValueAtTime(loudness * 0.25, at)
  gain.gain.exponentialRampToValueAtTime(0.001, at + 0.35)
  tone.connect(gain).connect(audio.destination)
  tone.start(at)
  tone.stop(at + 0.36)
}
