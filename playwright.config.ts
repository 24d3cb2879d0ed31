import { defineConfig } from '@playwright/test'
import { installedBrowser } from './bin/browser.ts'

const executablePath = process.env.CHROMIUM_PATH ?? installedBrowser() ?? undefined

/** Those beside a WhatsApp of their own share one product that trusts it, and so one worker. */
const besideWhatsApp = ['connections', 'files', 'hostile', 'imports'].map(name => `**/${name}.e2e.ts`)
const walk = '**/screens.e2e.ts'

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/run.ts',
  // begun in this order: what one worker alone can do, and what takes longest, is not left for the end
  projects: [
    { name: 'whatsapp', testMatch: besideWhatsApp, workers: 1 },
    { name: 'walk', testMatch: walk },
    { name: 'product', testMatch: '**/*.e2e.ts', testIgnore: [...besideWhatsApp, walk] },
  ],
  snapshotPathTemplate: '{testDir}/frames/{arg}{ext}',
  outputDir: 'test-results',
  // with its browser and the product each keeps more than a processor busy
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  // on a shared machine one is tried up to twice more; npm test names those that needed it
  retries: process.env.CI ? 2 : 0,
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
        // nothing outside of this machine is asked, such as the maps
        '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
        // a microphone that hums, so that recording can be tried
        '--use-fake-device-for-media-stream',
        '--use-fake-ui-for-media-stream',
      ],
    },
  },
})
