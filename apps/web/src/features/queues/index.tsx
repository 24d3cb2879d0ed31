import type { Feature } from '../../platform/features.ts'
import { QueuesAlways } from './queues-always.tsx'

export const queues: Feature = { Always: QueuesAlways }
