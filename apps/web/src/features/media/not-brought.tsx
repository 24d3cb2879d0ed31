import type { UnsupportedData } from '@balcao/contract/media.ts'
import type { Message } from '@balcao/contract/messages.ts'
import { useNotBroughtText } from './media.unsupported.text.ts'

/** What the official API does not bring, what only the phone shows, and kinds that are too new: which, and what helps. */
export default function NotBrought({ message }: { message: Message }) {
  const t = useNotBroughtText()
  if (message.mediaType === 'masked') return <em>{t('maskedOnPhone')}</em>
  if (message.mediaType === 'unknown') return <em>{t('newerKind')}</em>
  // messages of earlier versions say nothing of it
  const { kind = '', code }: Partial<UnsupportedData> = JSON.parse(message.dataJson ?? '{}')
  if (code === NOT_YET) return <em>{t('notYet')}</em>
  if (code === NOT_FETCHED) return <em>{t('notFetched')}</em>
  const known = KINDS.find(one => one === kind)
  return <em>{t('notBrought', { kind: known ? t(known) : kind || t('unknownKind') })}</em>
}

/** Codes of Meta's page "unsupported messages webhook reference" and of its error codes. */
const NOT_YET = 131060
const NOT_FETCHED = 131052

/** Its `unsupported.type`. */
const KINDS = [
  'poll_creation',
  'poll_update',
  'gif',
  'group_invite',
  'pin',
  'keep_in_chat',
  'link_preview',
  'list',
  'interactive',
  'order',
  'product',
  'hsm',
  'image',
  'location',
  'reaction',
  'media_placeholder',
] as const
