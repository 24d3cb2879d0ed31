import type { QueueWaiting } from '@balcao/contract/assignment.ts'
import { event } from '../../platform/events.ts'

/** How a queue gives its tickets changed, or why some wait. */
export const assignmentChanged = event<QueueWaiting>('assignment.changed')

/** Which queues give their tickets by themselves changed. */
export const assigningChanged = event<Record<never, never>>('assignment.assigning')

/** A ticket may be given to somebody. */
export const assignmentWanted = event<Record<never, never>>('assignment.wanted')

export const ASSIGNING_TOPIC = 'assignment.assigning'
