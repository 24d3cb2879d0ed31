import { defineConfig } from 'vitest/config'
import { LongestFirst } from './bin/longest-first.ts'

interface Own {
  globalSetup?: string
  isolate?: boolean
}

const project = (name: string, include: string | string[], own: Own = {}) => ({
  extends: true as const,
  test: { name, include: [include].flat(), ...own },
})

/** Made before the first file, gone after the last. */
const globalSetup = './apps/server/testing/run.ts'
/** Whoever starts a product forgets what the one before kept: these load it once a worker. */
const together = { globalSetup, isolate: false }

export default defineConfig({
  test: {
    pool: 'forks',
    // one of three waits for something
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // as the product starts: each file loads it anew
    execArgv: ['--import', import.meta.resolve('./apps/server/src/platform/drizzle/loading.ts')],
    // on a shared machine one is tried once more; npm test names those that needed it
    retry: process.env.CI ? 1 : 0,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      project('contract', 'packages/contract/src/**/*.test.ts'),
      project(
        'server',
        ['apps/server/src/*.test.ts', 'apps/server/src/{features,payments,platform,seed}/**/*.test.ts'],
        together,
      ),
      project('processes', 'apps/server/src/{channels,crash}/**/*.test.ts', { globalSetup }),
      project('web', 'apps/web/src/**/*.test.{ts,tsx}'),
      project('whatsapp-server', 'testing/whatsapp-server/**/*.test.ts'),
      project('cloud-api-server', 'testing/cloud-api-server/**/*.test.ts'),
      project('openai-server', 'testing/openai-server/**/*.test.ts'),
      project('asaas-server', 'testing/asaas-server/**/*.test.ts'),
      project('bin', 'bin/**/*.test.ts'),
    ],
  },
})
