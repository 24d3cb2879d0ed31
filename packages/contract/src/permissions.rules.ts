import type { UserAuthorization } from './permissions.ts'
import type { User } from './users.ts'

/** Who asks, as far as a decision needs to know. */
export interface Viewer {
  id: number
  name: string
  companyId: number
  profile: 'admin' | 'user'
  master: 0 | 1
  payPanelAccess: boolean
  queueIds: number[]
  signMessage: boolean
  authorization: Flags
  /** The visit by which a master looks into this company, which is not his own: he changes nothing in it. */
  visitId?: string
}

/** The viewer in a user's record, on both sides. */
export const viewerFrom = (user: Omit<User, 'createdAt' | 'updatedAt'>): Viewer => ({
  id: user.id,
  name: user.name,
  companyId: user.companyId,
  profile: user.profile,
  master: user.master,
  payPanelAccess: user.payPanelAccess,
  queueIds: user.queues.map(queue => queue.id),
  signMessage: user.signMessage,
  authorization: user.userAuthorization ?? defaultFlags,
})

export type Flags = Omit<UserAuthorization, 'id' | 'name'>

/** What a user without a group may do: the documented defaults (OP-63). */
export const defaultFlags: Flags = {
  allowNoQueue: 1,
  allowMultipleTickets: 0,
  viewMessagesByTicket: 0,
  disableGreeting: false,
  disableSignature: false,
  allowCategorizeContacts: true,
  allowCreateCategoryContacts: true,
  allowViewPendingTickets: true,
  enableAdministration: 1,
  enableDash: 1,
  allowTicketExport: false,
}

const isAdmin = (viewer: Viewer) => viewer.profile === 'admin' || viewer.master === 1

const rights = {
  session: () => true,
  admin: isAdmin,
  master: viewer => viewer.master === 1,
  payPanel: viewer => viewer.payPanelAccess || viewer.master === 1,
  'tickets:showAll': isAdmin,
  'tickets:resolveMany': isAdmin,
  'ticket-options:deleteTicket': isAdmin,
  'ticket-options:transferWhatsapp': isAdmin,
  'contacts-page:deleteContact': isAdmin,
  'user-modal:editProfile': isAdmin,
  'schedules:all': isAdmin,
  'tickets:export': viewer => viewer.authorization.allowTicketExport,
  'tickets:viewPending': viewer => isAdmin(viewer) || viewer.authorization.allowViewPendingTickets,
  'contacts:categorize': viewer => viewer.authorization.allowCategorizeContacts,
  'contacts:createCategories': viewer => viewer.authorization.allowCreateCategoryContacts,
  administration: viewer => isAdmin(viewer) && viewer.authorization.enableAdministration === 1,
  dashboard: viewer => viewer.authorization.enableDash === 1,
} satisfies Record<string, (viewer: Viewer) => boolean>

export type Right = keyof typeof rights

/** `nobody` marks the few calls that need no session, `apiToken` those that programs make with a token of a company. */
export type Need = 'nobody' | 'apiToken' | Right

/** The one answer to "is this allowed", for routes, sockets and buttons. */
export const may = (viewer: Viewer, right: Right): boolean =>
  (rights[right] as (viewer: Viewer) => boolean)(viewer)
