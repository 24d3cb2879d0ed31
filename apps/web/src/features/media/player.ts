import { ofPerson } from '../../platform/person.ts'
import { store, useStore } from '../../platform/store.ts'

const speeds: readonly number[] = [1, 1.5, 2]
const STORED = 'audioSpeed'

interface Playing {
  id: string
  paused: boolean
  time: number
  seconds: number
}

/** One player for the whole screen: a second sound stops the first; scrolling stops none. */
let sound: HTMLAudioElement | null = null
const playing = store<Playing | null>(null)
const speed = store(speeds.find(one => String(one) === localStorage.getItem(STORED)) ?? 1)

/** State of the player for this message; null while it plays another one or none. */
export const usePlaying = (id: string): Playing | null =>
  useStore(playing, now => (now?.id === id ? now : null))

export const useSpeed = (): number => useStore(speed)

/** The next of the speeds, kept for all later sounds. */
export function changeSpeed() {
  const next = speeds[(speeds.indexOf(speed.read()) + 1) % speeds.length]!
  localStorage.setItem(STORED, String(next))
  if (sound) sound.playbackRate = next
  speed.write(next)
}

/** Plays a file from a second on, or resumes it. `onBroken`: this browser cannot play it. */
export function play(id: string, address: string, from: number, onBroken: () => void) {
  if (sound && playing.read()?.id === id) {
    void sound.play().catch(onBroken)
    return
  }
  stop()
  const started = new Audio(address)
  sound = started
  started.playbackRate = speed.read()
  started.currentTime = from
  const follow = () => {
    if (sound !== started) return
    const { paused, currentTime, duration } = started
    playing.write({ id, paused, time: currentTime, seconds: Number.isFinite(duration) ? duration : 0 })
  }
  for (const event of ['play', 'pause', 'timeupdate', 'loadedmetadata', 'seeked'])
    started.addEventListener(event, follow)
  // a position chosen before the metadata is loaded is applied afterwards
  started.addEventListener('loadedmetadata', () => {
    if (started.currentTime < from) started.currentTime = from
  })
  started.addEventListener('ended', () => sound === started && stop())
  started.addEventListener('error', () => {
    if (sound === started) stop()
    onBroken()
  })
  follow()
  void started.play().catch(() => follow())
}

export const pause = () => sound?.pause()

export function seek(id: string, to: number) {
  if (sound && playing.read()?.id === id) sound.currentTime = to
}

/** Stops this message's sound; another one continues. */
export function stopPlaying(id: string) {
  if (playing.read()?.id === id) stop()
}

ofPerson(stop)

function stop() {
  sound?.pause()
  sound = null
  playing.write(null)
}
