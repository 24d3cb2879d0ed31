import { defineConfig } from 'vitest/config'
import { LongestFirst } from './bin/longest-first.ts'

const project = (name: string, ...include: string[]) => ({ extends: true as const, test: { name, include } })

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    // as the product starts: each file loads it anew
    execArgv: ['--import', import.meta.resolve('./apps/server/src/platform/drizzle/loading.ts')],
    // on a shared machine one is tried once more; npm test names those that needed it
    retry: process.env.CI ? 1 : 0,
    testTimeout: 15_000,
    hookTimeout: 60_000,
    projects: [
      project('contract', 'packages/contract/src/**/*.test.ts'),
      project('server', 'apps/server/**/*.test.ts'),
      project('web', 'apps/web/src/**/*.test.{ts,tsx}'),
      project('whatsapp-server', 'testing/whatsapp-server/**/*.test.ts'),
      project('cloud-api-server', 'testing/cloud-api-server/**/*.test.ts'),
      project('openai-server', 'testing/openai-server/**/*.test.ts'),
      project('asaas-server', 'testing/asaas-server/**/*.test.ts'),
      project('bin', 'bin/**/*.test.ts'),
    ],
  },
})
