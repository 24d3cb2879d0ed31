import { auth } from './features/auth/index.tsx'
import { categories } from './features/categories/index.tsx'
import { companies } from './features/companies/index.tsx'
import { connections } from './features/connections/index.tsx'
import { contactSheets } from './features/contactSheets/index.tsx'
import { contacts } from './features/contacts/index.tsx'
import { imports } from './features/imports/index.tsx'
import { locations } from './features/locations/index.tsx'
import { messageLogs } from './features/messageLogs/index.tsx'
import { messages } from './features/messages/index.tsx'
import { permissions } from './features/permissions/index.tsx'
import { queues } from './features/queues/index.tsx'
import { quickAnswers } from './features/quickAnswers/index.tsx'
import { simulator } from './features/simulator/index.tsx'
import { tags } from './features/tags/index.tsx'
import { tickets } from './features/tickets/index.tsx'
import { users } from './features/users/index.tsx'
import type { Feature } from './platform/features.ts'

/** Every feature; a new one is one more line. Their order is the order of the menu. */
export const features: Feature[] = [
  auth,
  users,
  queues,
  permissions,
  tickets,
  messages,
  contacts,
  contactSheets,
  quickAnswers,
  categories,
  tags,
  connections,
  imports,
  locations,
  simulator,
  companies,
  messageLogs,
]
