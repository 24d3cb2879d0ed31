import { createHmac, timingSafeEqual } from 'node:crypto'

/** What a link of a letter is for: one of another purpose is none. */
export type Purpose = 'invitation' | 'reset' | 'email' | 'lead'

export interface Link {
  purpose: Purpose
  /** Of the row with its recipient and expiry. */
  id: string
}

/** Its path in the web app; that of a lead is given by the documents, and opens no account. */
const PAGES: Record<Purpose, string> = {
  invitation: '/invitation#',
  reset: '/reset#',
  email: '/email#',
  lead: '/subscription/',
}

/**
 * The link behind the address of the installation. It is signed, not kept: whoever reads the database cannot follow it.
 * The part behind `#` is sent to no server.
 */
export const pathOf = (key: Uint8Array, link: Link) => PAGES[link.purpose] + signedId(key, link)

/** The signed id of a link. In a path it has no dot: a path that ends in a dot and letters is a file. */
export const signedId = (key: Uint8Array, { purpose, id }: Link) =>
  `${id}${purpose === 'lead' ? '-' : '.'}${signature(key, purpose, id)}`

/** The row that a link names; null when it is none of ours, or for something else. */
export function readLink(key: Uint8Array, purpose: Purpose, token: string): string | null {
  const [, id, signed] = FORM.exec(token) ?? []
  if (!id || !signed) return null
  const wanted = Buffer.from(signature(key, purpose, id))
  const given = Buffer.from(signed)
  return given.length === wanted.length && timingSafeEqual(given, wanted) ? id : null
}

const FORM = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})[.-]([\w-]{43})$/

const signature = (key: Uint8Array, purpose: Purpose, id: string) =>
  createHmac('sha256', key).update(`${purpose}.${id}`).digest('base64url')
