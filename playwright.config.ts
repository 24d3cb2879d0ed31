import { defineConfig } from '@playwright/test'
import { installedBrowser } from './bin/browser.ts'

const executablePath = process.env.CHROMIUM_PATH ?? installedBrowser() ?? undefined

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.e2e.ts',
  outputDir: 'test-results',
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  // on a shared machine one is tried once more; npm test names those that needed it
  retries: process.env.CI ? 1 : 0,
  // long, for a machine that is busy with something else: what passes never waits for it
  timeout: 180_000,
  expect: { timeout: 30_000 },
  use: {
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    locale: 'pt-BR',
    timezoneId: 'America/Sao_Paulo',
    // to keep one of every test takes a third of the time: a second try is recorded, or what is asked for (--trace on)
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath,
      args: [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // a microphone that hums, so that recording can be tried
        '--use-fake-device-for-media-stream',
        '--use-fake-ui-for-media-stream',
      ],
    },
  },
})
