import { contactMergeChannel } from '@balcao/contract/contactMerges.ts'
import { followList } from '../../platform/lists.ts'

/** Conversations, contacts, files: what hung on one contact hangs on another by now. It is rare, and all is asked again. */
export const followContactMerges = () => followList(contactMergeChannel, [])
