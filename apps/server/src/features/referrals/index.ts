import type { Feature } from '../../platform/features.ts'
import { carriedOfReferrals } from './referrals.carried.queries.ts'
import { reacts } from './referrals.reacts.ts'
import { routes } from './referrals.routes.ts'

export const referrals: Feature = { name: 'referrals', routes, jobs: carriedOfReferrals, reacts }
