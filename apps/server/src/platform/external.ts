import { createHash } from 'node:crypto'

declare const external: unique symbol

/**
 * An id that others chose, or a key made of such ids, as a column and an index take it: at most 255 characters, without NUL
 * and half characters. `externalIdOf` and `externalKeyOf` alone make one.
 */
export type ExternalId = string & { readonly [external]: true }

/** An index of three such ids stays below the 2,704 bytes that a row of a btree may have. */
const MAX_LENGTH = 255
/** Ids of all networks, and those that are made here of several, are printable ASCII. */
const PLAIN_ID = /^[ -~]{0,255}$/
const CONTROL = /\p{Cc}/u

/**
 * An id that others chose, as a column may keep it. One that no network gives (longer than 255 characters, with NUL, half
 * characters or letters beyond ASCII) is replaced by its digest, the same for the same id: what names it finds it.
 * Anything but a text is empty.
 */
export const externalIdOf = (given: unknown): ExternalId =>
  typeof given !== 'string' ? ('' as ExternalId) : orDigest(given, PLAIN_ID.test(given))

/** A key made of ids and other texts; one that does not fit is replaced by its digest. */
export const externalKeyOf = (key: string): ExternalId =>
  orDigest(key, key.length <= MAX_LENGTH && key.isWellFormed() && !CONTROL.test(key))

const orDigest = (given: string, isFit: boolean) => (isFit ? given : digestOf(given)) as ExternalId

/** The digest of a text, also of one with half characters, each of which counts. */
const digestOf = (given: string) =>
  `sha256:${createHash('sha256').update(Buffer.from(given, 'utf16le')).digest('hex')}`
