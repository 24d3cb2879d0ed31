import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'

const library = join(dirname(createRequire(import.meta.url).resolve('libsignal')), 'src')

/** Prefixes of libsignal's console output. */
const sayings = readdirSync(library).flatMap(file =>
  [...readFileSync(join(library, file), 'utf8').matchAll(/console\.\w+\(\s*["'`]([^"'`]+)/g)].map(
    ([, words]) => words!,
  ),
)

afterEach(() => vi.restoreAllMocks())

test('of what libsignal says nothing reaches the console but what holds no session', async () => {
  // other files of this worker may have quieted it: this is a module of its own
  const { quietLibsignal } = await import(`./console.ts?${import.meta.url}`)
  const received: unknown[] = []
  for (const level of ['log', 'info', 'warn', 'error'] as const)
    vi.spyOn(console, level).mockImplementation((...words: unknown[]) => void received.push(words[0]))
  quietLibsignal()
  for (const words of sayings) console.info(words, { privKey: 'hush' })
  console.warn('somebody else speaks')
  expect(sayings.length).toBeGreaterThan(10)
  expect(received).toEqual([
    expect.stringMatching(/^WARNING: Expected pubkey of length 33/),
    'Unhandled bucket type (for naming):',
    'V1 session storage migration error: registrationId',
    'somebody else speaks',
  ])
})
