import type { UserAuthorization } from './permissions.ts'
import type { User } from './users.ts'

/** The requesting user, as far as decisions need. */
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
  /** The visit in which a master reads this company's data; visits are read-only. */
  visitId?: string
}

/**
 * A holder of permissions that only holders grant (USER-010, USER-011) is changed only by another holder: password,
 * e-mail and deletion.
 */
export const mayReceiveAccount = (
  viewer: Viewer,
  { master, payPanelAccess }: Pick<User, 'master' | 'payPanelAccess'>,
): boolean => viewer.master === 1 || (master !== 1 && (!payPanelAccess || viewer.payPanelAccess))

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
  allowImportContacts: false,
  allowDeleteOptOuts: false,
  allowDeleteShared: false,
  allowDefaultBots: false,
  allowWebhooks: false,
  allowSharedViews: false,
  onlyOwnContacts: false,
  allowTeam: false,
  allowInternalChat: true,
}

const isAdmin = (viewer: Viewer) => viewer.profile === 'admin' || viewer.master === 1

const administers = (viewer: Viewer) => isAdmin(viewer) && viewer.authorization.enableAdministration === 1

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
  'contacts:all': viewer => isAdmin(viewer) || !viewer.authorization.onlyOwnContacts,
  'contacts:categorize': viewer => viewer.authorization.allowCategorizeContacts,
  'contacts:createCategories': viewer => viewer.authorization.allowCreateCategoryContacts,
  'contacts:import': viewer => isAdmin(viewer) || viewer.authorization.allowImportContacts,
  'optOuts:delete': viewer => isAdmin(viewer) || viewer.authorization.allowDeleteOptOuts,
  'shared:delete': viewer => isAdmin(viewer) || viewer.authorization.allowDeleteShared,
  'bots:connect': viewer => isAdmin(viewer) || viewer.authorization.allowDefaultBots,
  team: viewer => isAdmin(viewer) || viewer.authorization.allowTeam,
  'flows:change': viewer => isAdmin(viewer) || viewer.authorization.allowDeleteShared,
  'views:share': viewer => administers(viewer) || viewer.authorization.allowSharedViews,
  webhooks: viewer => administers(viewer) || viewer.authorization.allowWebhooks,
  administration: administers,
  chat: viewer => isAdmin(viewer) || viewer.authorization.allowInternalChat,
  dashboard: viewer => viewer.authorization.enableDash === 1,
  reports: viewer => viewer.authorization.enableDash === 1 || administers(viewer),
} satisfies Record<string, (viewer: Viewer) => boolean>

export type Right = keyof typeof rights

/** `nobody` marks the few calls that need no session, `apiToken` those that programs make with a token of a company. */
export type Need = 'nobody' | 'apiToken' | Right

/** The one answer to "is this allowed", for routes, sockets and buttons. */
export const may = (viewer: Viewer, right: Right): boolean =>
  (rights[right] as (viewer: Viewer) => boolean)(viewer)
