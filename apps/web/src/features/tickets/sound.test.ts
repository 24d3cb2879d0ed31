import { expect, test, vi } from 'vitest'
import { ring, ringsNot, sounds } from './sound.ts'

const tones = { started: 0 }

class Bell {
  state = 'running'
  currentTime = 0
  destination = {}
  createOscillator = () => ({
    frequency: { value: 0 },
    connect: (to: unknown) => to,
    start: () => void tones.started++,
    stop() {},
  })
  createGain = () => ({
    gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} },
    connect() {},
  })
}

/** What the browser keeps, which its tabs share. */
function keeps(chosen: object) {
  const kept = new Map([['sounds', JSON.stringify(chosen)]])
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  })
}
const seen = (visibilityState: 'visible' | 'hidden') => vi.stubGlobal('document', { visibilityState })

test('many messages at once ring once, then once in two seconds at most', () => {
  vi.stubGlobal('AudioContext', Bell)
  seen('visible')
  keeps({})
  vi.useFakeTimers()
  for (let missed = 0; missed < 25; missed++) ring('message', 50)
  expect(tones.started).toBe(2)
  vi.advanceTimersByTime(1_900)
  ring('message', 50)
  expect(tones.started).toBe(2)
  vi.advanceTimersByTime(200)
  ring('message', 50)
  expect(tones.started).toBe(4)
  vi.useRealTimers()
})

test('each kind has its own sound, or none', () => {
  vi.stubGlobal('AudioContext', Bell)
  seen('visible')
  keeps({ message: 'off', transfer: 'drop' })
  vi.useFakeTimers()
  vi.advanceTimersByTime(10_000)
  const before = tones.started
  ring('message', 50)
  expect(tones.started - before).toBe(0)
  ring('transfer', 50)
  expect(tones.started - before).toBe(1)
  vi.advanceTimersByTime(2_000)
  ring('waiting', 50)
  expect(tones.started - before).toBe(4)
  expect(sounds.read()).toEqual({ waiting: 'chime', message: 'off', transfer: 'drop' })
  vi.useRealTimers()
})

test('of several tabs one rings, that which is seen before one that is not, and none where it is seen what came', () => {
  vi.stubGlobal('AudioContext', Bell)
  keeps({})
  seen('hidden')
  vi.useFakeTimers()
  const rings = (moment: () => void) => {
    vi.advanceTimersByTime(60_000)
    const before = tones.started
    ring('message', 50)
    moment()
    vi.advanceTimersByTime(1_000)
    return tones.started > before
  }
  expect(rings(() => {})).toBe(true)
  // the tab that is seen was first, or shows the conversation
  expect(rings(ringsNot)).toBe(false)
  // a clock that was set back
  localStorage.setItem('rang', String(Date.now() + 3_600_000))
  expect(rings(() => {})).toBe(true)
  vi.useRealTimers()
})
