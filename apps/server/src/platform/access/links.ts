import { hmacOf, isSigned, type SigningKeys } from './signatures.ts'

/** What a link of a letter is for: one of another purpose is none. */
export type Purpose = 'invitation' | 'reset' | 'email' | 'lead' | 'export' | 'report'

export interface Link {
  purpose: Purpose
  /** Of the row with its recipient and expiry. */
  id: string
}

/** Its path in the web app; that of a lead is given by the documents, and opens no account; an export is downloaded there. */
const PAGES: Record<Purpose, string> = {
  invitation: '/invitation#',
  reset: '/reset#',
  email: '/email#',
  lead: '/subscription/',
  export: '/companyExport/',
  report: '/reportMail#',
}

/**
 * The link behind the address of the installation. It is signed, not kept: whoever reads the database cannot follow it.
 * The part behind `#` is sent to no server.
 */
export const pathOf = (keys: SigningKeys, link: Link) => PAGES[link.purpose] + signedId(keys, link)

const IN_PATH: Purpose[] = ['lead', 'export']

/** The signed id of a link. In a path it has no dot: a path that ends in a dot and letters is a file. */
export const signedId = (keys: SigningKeys, { purpose, id }: Link) =>
  `${id}${IN_PATH.includes(purpose) ? '-' : '.'}${hmacOf(keys, `${purpose}.${id}`)}`

/** The row that a link names; null when it is none of ours, or for something else. */
export function readLink(keys: SigningKeys, purpose: Purpose, token: string): string | null {
  const [, id, signed] = FORM.exec(token) ?? []
  if (!id || !signed) return null
  return isSigned(keys, `${purpose}.${id}`, signed) ? id : null
}

const FORM = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})[.-]([\w-]{43})$/
