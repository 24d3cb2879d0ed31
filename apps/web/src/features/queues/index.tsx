import type { Feature } from '../../platform/features.ts'
import { followQueues } from './queues.live.ts'

export const queues: Feature = { live: followQueues }
