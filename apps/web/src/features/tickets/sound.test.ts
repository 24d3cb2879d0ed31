import { expect, test, vi } from 'vitest'
import { ring, sounds } from './sound.ts'

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

const keeps = (chosen: object) => vi.stubGlobal('localStorage', { getItem: () => JSON.stringify(chosen) })

test('many messages at once ring once, then once in two seconds at most', () => {
  vi.stubGlobal('AudioContext', Bell)
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
