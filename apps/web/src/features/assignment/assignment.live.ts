import { assignmentChannel } from '@balcao/contract/assignment.ts'
import { followList } from '../../platform/lists.ts'

export const ASSIGNMENTS = ['assignments']

export const followAssignments = (): (() => void) => followList(assignmentChannel, ASSIGNMENTS)
