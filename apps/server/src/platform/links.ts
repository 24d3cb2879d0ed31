import { createHmac, timingSafeEqual } from 'node:crypto'

/** What a link of a letter is for: one of another purpose is none. */
export type Purpose = 'invitation' | 'reset' | 'email' | 'lead'

export interface Link {
  purpose: Purpose
  /** Of the row that says for whom it is and how long. */
  id: string
}

/** Where the web app takes it; that of a lead is the documents' own, and opens no account. */
const PAGES: Record<Purpose, string> = {
  invitation: '/invitation#',
  reset: '/reset#',
  email: '/email#',
  lead: '/subscription/',
}

/**
 * The link behind the address of the installation. It is signed, not kept: whoever reads the database cannot follow it.
 * What stands behind `#` is sent to no server.
 */
export const pathOf = (key: Uint8Array, link: Link) => PAGES[link.purpose] + signedId(key, link)

/** What of the link says that it is ours. In a path no dot stands in it: what ends in one and letters is a file. */
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
