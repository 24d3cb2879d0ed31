import { assignmentChannel } from '@balcao/contract/assignment.ts'
import { pushList } from '../../platform/live/live.ts'
import { assignmentChanged } from './assignment.events.ts'

export const live = [pushList(assignmentChannel, assignmentChanged)]
