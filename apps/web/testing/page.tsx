import type { User } from '@balcao/contract/users.ts'
import { act, cleanup, getConfig, render, waitFor } from '@testing-library/react'
import { matchPath } from 'react-router'
import { expect, vi } from 'vitest'
import { begunBy } from '../src/features/messages/composer/stored-held.ts'
import { features } from '../src/features.ts'
import { Pages } from '../src/outside/pages.tsx'
import { forgetPerson } from '../src/platform/person.ts'
import { stored } from '../src/platform/stored.ts'
import { speak } from '../src/platform/text.ts'
import { App } from '../src/shell/app.tsx'
import { type Area, areaOf } from './area.ts'
import { baseServer } from './base-server.ts'
import type { Server } from './server.ts'
import { liveSocket } from './socket.ts'

/** The whole page, and its server. */
export type OpenPage = Area & { server: Server }

interface Coming {
  /** Answers the requests of the screen besides those of every screen. */
  answers?(server: Server): Server
  /** So wide is the window. */
  width?: number
}

const open: Server[] = []

/** Opens an address of the app as a user, or anonymously. */
export function enter(address: string, as: User | null, { answers, width = 1440 }: Coming = {}): OpenPage {
  leave()
  const server = answers ? answers(baseServer(as)) : baseServer(as)
  open.push(server)
  vi.stubGlobal('fetch', server.fetch)
  Object.assign(window, { innerWidth: width })
  liveSocket.company = as?.companyId ?? 0
  if (as) localStorage.setItem('token', `token of ${as.id}`)
  history.replaceState(null, '', address)
  render(<App />)
  const page = areaOf(() => document.body, undefined, waitingBehind(codeOf(address)))
  return Object.defineProperty(page, 'server', { value: server }) as OpenPage
}

const screens = features.flatMap(({ screens = [] }) => screens.filter(one => one.access !== 'outside'))

/** Loads the code of the screen that an address shows. */
async function codeOf(address: string) {
  const { pathname } = new URL(address, location.origin)
  await screens.find(({ path }) => matchPath(path, pathname))?.load()
}

/** Waits begin when the code of the screen is there: the first in a worker takes a slow machine longer than a wait lasts. */
function waitingBehind(code: Promise<void>): typeof waitFor {
  let isThere = false
  const there = () => {
    isThere = true
  }
  const settled = code.then(there, there)
  return async (look, options) => {
    if (!isThere) await getConfig().asyncWrapper(() => settled)
    return waitFor(look, options)
  }
}

/** An anonymous visitor opens a page outside of the app. */
export function visit(address: string, { answers }: Coming = {}): OpenPage {
  leave()
  const server = answers ? answers(baseServer(null)) : baseServer(null)
  open.push(server)
  vi.stubGlobal('fetch', server.fetch)
  history.replaceState(null, '', address)
  render(<Pages />)
  return Object.defineProperty(
    areaOf(() => document.body),
    'server',
    { value: server },
  ) as OpenPage
}

/** Navigates to another address, as a link would. */
export async function lead(address: string) {
  await act(async () => {
    history.pushState(null, '', address)
    dispatchEvent(new PopStateEvent('popstate'))
  })
}

/** Unmounts the previous page before another opens. */
function leave() {
  cleanup()
  forgetPerson()
  liveSocket.forget()
}

const begunRows = stored<{ key: string }>('balcao-begun', 'parts', 'key')

/** Unmounts all pages and clears their state; unanswered calls fail the test. */
export async function leaveAll() {
  leave()
  // what is stored answers by timers
  vi.useRealTimers()
  await begunBy('')
  for (const { key } of await begunRows.all()) await begunRows.remove(key)
  localStorage.clear()
  sessionStorage.clear()
  speak('ptBR')
  localStorage.clear()
  const complaints = open.splice(0).flatMap(server => server.complaints)
  expect(complaints.join('\n'), 'unanswered requests, and answers that do not fit the contract').toBe('')
}
