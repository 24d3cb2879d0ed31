import type { Feature } from '../../platform/features.ts'
import { live } from './contacts.live.ts'
import { reacts } from './contacts.reacts.ts'
import { routes } from './contacts.routes.ts'

export const contacts: Feature = { name: 'contacts', routes, live, reacts }
