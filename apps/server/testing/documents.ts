import type { Person, TestApp } from './test-app.ts'

/** A call as the documents write it, by their own words and not by the contract's. */
export function callAs(app: TestApp, who: Person | null, method: string, path: string, body?: object) {
  const isForm = body instanceof FormData
  return fetch(app.url + path, {
    method,
    headers: {
      ...(who && { authorization: `Bearer ${who.token}` }),
      ...(body && !isForm && { 'content-type': 'application/json' }),
    },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  })
}
