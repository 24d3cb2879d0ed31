import { closingReasonChannel } from '@balcao/contract/closingReasons.ts'
import { followList } from '../../platform/lists.ts'

export const CLOSING_REASONS = ['closingReasons']

export const followClosingReasons = () => followList(closingReasonChannel, CLOSING_REASONS)
