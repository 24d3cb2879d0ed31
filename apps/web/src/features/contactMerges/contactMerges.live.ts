import { contactMergeChannel } from '@balcao/contract/contactMerges.ts'
import { followList } from '../../platform/lists.ts'

/**
 * Conversations, contacts and files of one contact belong to another by now. Merges are rare, so everything
 * is refetched.
 */
export const followContactMerges = () => followList(contactMergeChannel, [])
