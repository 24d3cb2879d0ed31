import type { Feature } from '../../platform/features.ts'
import { live } from './campaignSetups.live.ts'
import { reacts } from './campaignSetups.reacts.ts'
import { routes } from './campaignSetups.routes.ts'

export const campaignSetups: Feature = { name: 'campaignSetups', routes, live, reacts }
