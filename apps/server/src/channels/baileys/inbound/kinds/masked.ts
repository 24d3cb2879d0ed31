import { kindOf } from './kind.ts'

/** WhatsApp gives it to the phone alone, such as a code to log in somewhere. */
export const maskedKind = kindOf(
  ['placeholderMessage'],
  { name: 'masked message (codes)', bubble: 'that only the phone shows it', words: '–', bot: 'nothing' },
  () => ({ mediaType: 'masked' }),
)
