import type { Feature } from '../../platform/features.ts'
import { carriedOfSubscriptions } from './subscriptions.carried.queries.ts'

export const subscriptions: Feature = { name: 'subscriptions', jobs: carriedOfSubscriptions }
