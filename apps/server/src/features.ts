import { auth } from './features/auth/index.ts'
import { categories } from './features/categories/index.ts'
import { cloud } from './features/cloud/index.ts'
import { companies } from './features/companies/index.ts'
import { connections } from './features/connections/index.ts'
import { contactSheets } from './features/contactSheets/index.ts'
import { contacts } from './features/contacts/index.ts'
import { imports } from './features/imports/index.ts'
import { locations } from './features/locations/index.ts'
import { messageLogs } from './features/messageLogs/index.ts'
import { messages } from './features/messages/index.ts'
import { permissions } from './features/permissions/index.ts'
import { queues } from './features/queues/index.ts'
import { quickAnswers } from './features/quickAnswers/index.ts'
import { simulator } from './features/simulator/index.ts'
import { tags } from './features/tags/index.ts'
import { tickets } from './features/tickets/index.ts'
import { users } from './features/users/index.ts'
import type { Feature } from './platform/features.ts'

/** Every feature of the product from the ground up: each may ask those before it, and hears of the others by event. */
export const features: Feature[] = [
  companies,
  permissions,
  queues,
  users,
  auth,
  categories,
  contacts,
  contactSheets,
  connections,
  tags,
  tickets,
  locations,
  messages,
  imports,
  messageLogs,
  simulator,
  cloud,
  quickAnswers,
]
