import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { quietLibsignal } from './console.ts'

const library = join(dirname(createRequire(import.meta.url).resolve('libsignal')), 'src')

/** The beginning of everything that libsignal says to the console. */
const sayings = readdirSync(library).flatMap(file =>
  [...readFileSync(join(library, file), 'utf8').matchAll(/console\.\w+\(\s*["'`]([^"'`]+)/g)].map(
    ([, words]) => words!,
  ),
)

afterEach(() => vi.restoreAllMocks())

test('of what libsignal says nothing reaches the console but what holds no session', () => {
  const heard: unknown[] = []
  for (const level of ['log', 'info', 'warn', 'error'] as const)
    vi.spyOn(console, level).mockImplementation((...words: unknown[]) => void heard.push(words[0]))
  quietLibsignal()
  for (const words of sayings) console.info(words, { privKey: 'hush' })
  console.warn('somebody else speaks')
  expect(sayings.length).toBeGreaterThan(10)
  expect(heard).toEqual([
    expect.stringMatching(/^WARNING: Expected pubkey of length 33/),
    'Unhandled bucket type (for naming):',
    'V1 session storage migration error: registrationId',
    'somebody else speaks',
  ])
})
