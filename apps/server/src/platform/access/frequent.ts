import { dictionary } from '@zxcvbn-ts/language-common'

/** 49,000 passwords of published lists, the most frequent first. */
const listed = new Set(dictionary.passwords)

/** Digits and signs that people put behind a word where a form asks for more. */
const TAIL = /[^a-z]{1,4}$/

/** Whether a password is listed, is a listed one with up to four digits or signs behind it, or a listed one twice. */
export function isCommon(password: string): boolean {
  const small = password.toLowerCase()
  const half = small.slice(0, small.length / 2)
  return (
    listed.has(small) || listed.has(small.replace(TAIL, '')) || (half + half === small && listed.has(half))
  )
}
