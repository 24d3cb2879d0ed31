/** What the worker and the pages name alike. */

/** Caches of what a user read, a cache for each: the company and the user follow. */
export const READ_CACHE = 'balcao-read-'
/** Files that another app shared, until a page asks for them. */
export const SHARED_CACHE = 'balcao-shared'
/** In that cache: what was shared, and each file by its number. */
export const SHARED_ABOUT = '/shared/about'
export const sharedFile = (at: number) => `/shared/${at}`

export interface SharedAbout {
  text: string
  files: { name: string; type: string }[]
}

/** What an access token says of its session; null for a text that is none. */
export function claimsOf(
  token: string,
): { sub?: string; company?: number; sid?: string; visit?: string } | null {
  try {
    const [, claims = ''] = token.split('.')
    return JSON.parse(atob(claims.replace(/-/g, '+').replace(/_/g, '/')))
  } catch {
    return null
  }
}
