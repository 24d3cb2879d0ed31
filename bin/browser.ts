import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from '@playwright/test'

/** Headless Chromium: tests need a quarter less time in it than in a full browser. */
const SHELL = 'chromium-headless-shell'
const names = [SHELL, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']

/** The browser that the end-to-end tests drive: CHROMIUM_PATH, one on the PATH, or Playwright's own; null without any. */
export function installedBrowser(env = process.env): string | null {
  const onPath = (env.PATH ?? '').split(delimiter).flatMap(folder => names.map(name => join(folder, name)))
  const candidates = [env.CHROMIUM_PATH, ...onPath, chromium.executablePath()]
  return candidates.find(path => path && existsSync(path) && starts(path)) ?? null
}

/** Some distributions put a script there that only prints how to install the browser. */
function starts(path: string) {
  try {
    return /\d+\.\d+/.test(
      execFileSync(path, ['--version'], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
        timeout: 60_000,
      }),
    )
  } catch {
    return false
  }
}

/** Finds a browser, installing Debian's when this is root on Debian. Throws an Error that names what is missing. */
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
  try {
    asRoot('dpkg', '--configure', '-a') // an installation that was cut off keeps apt-get from any other
    apt('update', '-q')
    // older releases have no shell
    const name = isOffered(SHELL) ? SHELL : 'chromium'
    apt('install', '-y', '-q', '--no-install-recommends', name)
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    console.error(`${String(error)}\n${`${stdout}${stderr}`.slice(-2_000)}`)
  }
  return installedBrowser()
}

const isOffered = (name: string) => asRoot('apt-cache', 'search', '--names-only', `^${name}$`) !== ''

/** Waits for whoever installs something at the same time. */
const apt = (...args: string[]) => asRoot('apt-get', '-o', 'DPkg::Lock::Timeout=300', ...args)

const asRoot = (program: string, ...args: string[]) =>
  execFileSync(program, args, {
    encoding: 'utf8',
    stdio: 'pipe',
    maxBuffer: 64 * 1024 * 1024,
    // dpkg needs what is in sbin, which is not on every PATH
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin`, DEBIAN_FRONTEND: 'noninteractive' },
  })
