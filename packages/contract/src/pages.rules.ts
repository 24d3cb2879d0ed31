/** Public pages without login: rendered without the app, and small (decision 033). */
export const outsidePages = [
  '/store/:planId?',
  '/subscription/:leadId?',
  '/n/:notificationPlatform/:notificationId',
] as const
export type OutsidePage = (typeof outsidePages)[number]

/** Parameters of such a page by name; empty ones are missing. */
export type Places = Record<string, string>

/** Whether an address, with or without its query, is one of them. */
export const isOutside = (address: string) => pageAt(address) !== null

/** The public page of an address and its parameters; null where it belongs to the app. */
export function pageAt(address: string): { page: OutsidePage; places: Places } | null {
  const [path = ''] = address.split(/[?#]/)
  for (const page of outsidePages) {
    const found = formOf(page).exec(path)
    if (found) return { page, places: readable(found.groups ?? {}) }
  }
  return null
}

/** As the app reads its own: capitals and a slash at the end do not matter. */
function formOf(page: OutsidePage): RegExp {
  const parts = page
    .slice(1)
    .split('/')
    .map(part => part.replace(/^:(\w+)(\??)$/, '(?<$1>[^/]+)$2'))
  const path = parts.map(part => (part.endsWith('?') ? `(?:/${part.slice(0, -1)})?` : `/${part}`)).join('')
  return new RegExp(`^${path}/?$`, 'i')
}

const readable = (places: Record<string, string | undefined>): Places =>
  Object.fromEntries(
    Object.entries(places).flatMap(([name, written]) =>
      written === undefined ? [] : [[name, decoded(written)]],
    ),
  )

/** Text that is not URL-encoded is used unchanged. */
function decoded(written: string): string {
  try {
    return decodeURIComponent(written)
  } catch {
    return written
  }
}
