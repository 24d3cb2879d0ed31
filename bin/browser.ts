import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from '@playwright/test'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']

/** The browser that the end-to-end tests drive: CHROMIUM_PATH, one on the PATH, or Playwright's own; null without any. */
export function installedBrowser(env = process.env): string | null {
  const onPath = (env.PATH ?? '').split(delimiter).flatMap(folder => names.map(name => join(folder, name)))
  const candidates = [env.CHROMIUM_PATH, ...onPath, chromium.executablePath()]
  return candidates.find(path => path && existsSync(path) && starts(path)) ?? null
}

/** Some distributions put a script there that only says where to get the browser. */
function starts(path: string) {
  try {
    return /\d+\.\d+/.test(
      execFileSync(path, ['--version'], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
        timeout: 20_000,
      }),
    )
  } catch {
    return false
  }
}

/** Finds a browser, installing Debian's when this is root on Debian. Throws an Error that says what is missing. */
export function findBrowser(): string {
  if (process.env.CHROMIUM_PATH && !existsSync(process.env.CHROMIUM_PATH))
    throw new Error(`CHROMIUM_PATH names ${process.env.CHROMIUM_PATH}, which is not there`)
  const found = installedBrowser() ?? (mayInstall() ? installDebians() : null)
  if (!found)
    throw new Error(
      'no Chromium or Chrome found: install one (Debian: apt-get install chromium), or npx playwright install chromium, or name one in CHROMIUM_PATH',
    )
  return found
}

const mayInstall = () => existsSync('/usr/bin/apt-get') && process.getuid?.() === 0

function installDebians() {
  console.log('Installing Chromium with apt-get …')
  const options = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const
  try {
    execFileSync('apt-get', ['update', '-q'], options)
    execFileSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'chromium'], options)
  } catch {
    return null
  }
  return installedBrowser()
}
