import { auth, type Session } from '@balcao/contract/auth.ts'
import type { Route } from '@balcao/contract/kit.ts'
import type { Page } from '@playwright/test'
import { PASSWORD } from './people.ts'
import type { Sample } from './samples.ts'

type Given<R extends Route> = {
  params?: R['params']['_input']
  query?: R['query']['_input']
  body?: R['body']['_input']
  files?: Sample[] | undefined
}

/** API calls as a user of the demo data, to set up what a test only needs. */
export interface Calls {
  user: Session['user']
  /** Calls a route of the contract. Throws an Error when it is refused. */
  call<R extends Route>(route: R, given?: Given<R>): Promise<R['reply']['_output']>
}

/** Logs in, and again when the token has expired: a worker uses the calls of its company for longer than a token lasts. */
export async function callsOf(url: string, email = 'admin@balcao.test'): Promise<Calls> {
  const logIn = () => send(url, '', auth.login, { body: { email, password: PASSWORD } })
  let session = logIn()
  const { user } = await session
  return {
    user,
    async call(route, given) {
      const used = session
      const { token } = await used
      return send(url, token, route, given).catch(async (error: unknown) => {
        if (!(error instanceof SessionExpired)) throw error
        // calls that were refused together share one login
        if (session === used) session = logIn()
        return send(url, (await session).token, route, given)
      })
    },
  }
}

/** The calls of whoever is logged in on a page. */
export async function callsOn(page: Page): Promise<Calls['call']> {
  const token = await page.evaluate(() => localStorage.getItem('token')!)
  const { origin } = new URL(page.url())
  return (route, given) => send(origin, token, route, given)
}

/** Refused before anything was done. */
class SessionExpired extends Error {}

async function send<R extends Route>(
  url: string,
  token: string,
  route: R,
  given: Given<R> = {},
): Promise<R['reply']['_output']> {
  const params = (given.params ?? {}) as Record<string, string | number>
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const query = given.query ? `?${new URLSearchParams(given.query as Record<string, string>)}` : ''
  const form = given.files && formOf(given.body as Record<string, unknown>, given.files)
  const answer = await fetch(url + path + query, {
    method: route.method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(given.body !== undefined && !form && { 'content-type': 'application/json' }),
    },
    ...(form ? { body: form } : given.body !== undefined && { body: JSON.stringify(given.body) }),
  })
  if (!answer.ok) {
    const text = await answer.text()
    const Refusal = text.includes('ERR_SESSION_EXPIRED') ? SessionExpired : Error
    throw new Refusal(`${route.method} ${path} answers ${answer.status}: ${text}`)
  }
  return (await answer.json()) as R['reply']['_output']
}

function formOf(fields: Record<string, unknown>, files: Sample[]) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields))
    form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
  for (const { name, mimeType, buffer } of files)
    form.append('medias', new File([new Uint8Array(buffer)], name, { type: mimeType }))
  return form
}
