import type { Feature } from '../../platform/features.ts'
import { MessagesAlways } from './messages-always.tsx'

/** Conversations have no screen of their own: they open beside the ticket lists. */
export const messages: Feature = { Always: MessagesAlways }
