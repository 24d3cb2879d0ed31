import { useSyncExternalStore } from 'react'

const speeds: readonly number[] = [1, 1.5, 2]
const STORED = 'audioSpeed'

interface Playing {
  id: string
  paused: boolean
  time: number
  seconds: number
}

/** One player for the whole screen: a second sound stops the first, and scrolling stops none. */
let sound: HTMLAudioElement | null = null
let playing: Playing | null = null
let speed: number = speeds.find(one => String(one) === localStorage.getItem(STORED)) ?? 1
const watchers = new Set<() => void>()

const watch = (tell: () => void) => {
  watchers.add(tell)
  return () => watchers.delete(tell)
}

function become(next: Playing | null) {
  playing = next
  for (const tell of watchers) tell()
}

/** What the player does with this message; null while it plays another one or none. */
export const usePlaying = (id: string): Playing | null =>
  useSyncExternalStore(watch, () => (playing?.id === id ? playing : null))

export const useSpeed = (): number => useSyncExternalStore(watch, () => speed)

/** The next of the speeds, kept for every sound to come. */
export function changeSpeed() {
  const at = speeds.indexOf(speed)
  speed = speeds[(at + 1) % speeds.length]!
  localStorage.setItem(STORED, String(speed))
  if (sound) sound.playbackRate = speed
  for (const tell of watchers) tell()
}

/** Plays a file from a second on, or goes on with it. `onBroken`: this browser cannot play it. */
export function play(id: string, address: string, from: number, onBroken: () => void) {
  if (sound && playing?.id === id) {
    void sound.play().catch(onBroken)
    return
  }
  stop()
  const started = new Audio(address)
  sound = started
  started.playbackRate = speed
  started.currentTime = from
  const follow = () => {
    if (sound !== started) return
    const { paused, currentTime, duration } = started
    become({ id, paused, time: currentTime, seconds: Number.isFinite(duration) ? duration : 0 })
  }
  for (const event of ['play', 'pause', 'timeupdate', 'loadedmetadata', 'seeked'])
    started.addEventListener(event, follow)
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
  if (sound && playing?.id === id) sound.currentTime = to
}

function stop() {
  sound?.pause()
  sound = null
  become(null)
}
