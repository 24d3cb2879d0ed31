import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './bin/longest-first.ts'

interface Own {
  globalSetup?: string
  isolate?: boolean
}

const project = (name: string, include: string | string[], own: Own = {}) => ({
  extends: true as const,
  test: { name, include: [include].flat(), ...native, ...own },
})

/** What Node loads as it is: nothing is transformed for it. */
const native = { experimental: { viteModuleRunner: false } }

/** A shared machine may be several times slower; what passes never waits for it. */
const patience = process.env.CI ? 3 : 1

/** Made before the first file, gone after the last. */
const globalSetup = './apps/server/testing/run.ts'
/** Whoever starts a product forgets what the one before kept: these load it once a worker. */
const together = { globalSetup, isolate: false }

/** The app of the web without a browser, before a server in memory that knows the contract. */
const screens = {
  extends: true as const,
  resolve: {
    alias: { 'socket.io-client': fileURLToPath(new URL('apps/web/testing/socket.ts', import.meta.url)) },
  },
  test: {
    name: 'screens',
    include: ['apps/web/src/**/*.test.tsx'],
    environment: 'happy-dom',
    // a file that is saved is a click on a link, which would replace the window of all files of the worker
    environmentOptions: {
      happyDOM: {
        settings: { navigation: { disableMainFrameNavigation: true, disableFallbackToSetURL: true } },
      },
    },
    setupFiles: ['./apps/web/testing/setup.ts'],
    isolate: false,
  },
}

export default defineConfig({
  test: {
    pool: 'forks',
    // one of three waits for something: for the database, or for time to pass
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // as the product starts: each file loads it anew
    execArgv: ['--import', import.meta.resolve('./apps/server/src/platform/startup/loading.ts')],
    // on a shared machine one is tried up to twice more; npm test names those that needed it
    retry: process.env.CI ? 2 : 0,
    testTimeout: 60_000 * patience,
    hookTimeout: 60_000 * patience,
    expect: { poll: { timeout: 15_000 } },
    projects: [
      project('contract', 'packages/contract/src/**/*.test.ts'),
      project(
        'server',
        ['apps/server/src/*.test.ts', 'apps/server/src/{features,payments,platform,seed}/**/*.test.ts'],
        together,
      ),
      project('protocol', 'apps/server/src/channels/**/*.test.ts', together),
      project('crash', 'apps/server/src/crash/**/*.test.ts', together),
      { extends: true, test: { name: 'web', include: ['apps/web/src/**/*.test.ts'] } },
      screens,
      project('whatsapp-server', 'testing/whatsapp-server/**/*.test.ts'),
      project('cloud-api-server', 'testing/cloud-api-server/**/*.test.ts'),
      project('openai-server', 'testing/openai-server/**/*.test.ts'),
      project('asaas-server', 'testing/asaas-server/**/*.test.ts'),
      project('mercadopago-server', 'testing/mercadopago-server/**/*.test.ts'),
      project('bin', 'bin/**/*.test.ts'),
    ],
  },
})
