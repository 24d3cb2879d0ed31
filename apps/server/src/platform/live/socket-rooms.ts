import type { Route } from '@balcao/contract/kit.ts'
import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import { may } from '@balcao/contract/permissions.rules.ts'
import type { Logger } from 'pino'
import { Refusal } from '../errors.ts'
import type { Scopes } from '../scope.ts'
import {
  admins,
  allMembers,
  everyone,
  type Join,
  limited,
  lookingInto,
  masters,
  notAdmins,
  ofCustomers,
  oneUser,
  payers,
  queueMembers,
  type Room,
  screens,
  teamWatchers,
  unlimited,
  visitors,
} from './live.ts'
import type { LiveSocket } from './push.ts'

/** How many rooms a client may have asked for; it leaves the oldest beyond them. */
const MOST_ASKED = 20

export type LookedAt = (viewer: Viewer, route: Route, params: unknown) => Promise<void>

interface Deps {
  scopes: Scopes
  log: Logger
  lookedAt: LookedAt
}

/** Joins the room that a client asks for, if the server lets it, and acknowledges with `joined`. */
export async function answerJoin(socket: LiveSocket, join: Join, asked: unknown, done: unknown, deps: Deps) {
  if (!socket.connected) return
  const room = await roomAsked(socket, join, asked, deps).catch(error => {
    deps.log[error instanceof Refusal ? 'debug' : 'warn']({ err: error, join: join.emitted }, 'join refused')
    return null
  })
  if (room && socket.connected) {
    await socket.join(room)
    const byAsking = [...socket.rooms].filter(one => ASKED.test(one))
    for (const oldest of byAsking.slice(0, -MOST_ASKED)) await socket.leave(oldest)
  }
  if (typeof done === 'function') done({ joined: room !== null })
}

async function roomAsked(socket: LiveSocket, join: Join, asked: unknown, { scopes, lookedAt }: Deps) {
  const { viewer, claims } = socket.data
  const scope = scopes.inCompany(claims.companyId, viewer, socket.id)
  if (viewer.visitId === undefined) return join.room(scope, asked)
  const look = join.visitor?.(scope, asked) ?? null
  if (look) await lookedAt(viewer, look.route, look.params)
  return look?.room ?? null
}

/** The rooms a viewer belongs in, by the policies of tickets.rules: `canSee`, and `canRead` for those that look. */
export function roomsOf(viewer: Viewer): Room[] {
  const { companyId } = viewer
  // a visitor joins the conversations that he opens, each of which is recorded; nothing else is pushed to him
  if (viewer.visitId !== undefined) return [screens, visitors(companyId)]
  const rooms = [screens, everyone(companyId), oneUser(companyId, viewer.id)]
  if (may(viewer, 'master')) rooms.push(masters)
  if (viewer.payPanelAccess) rooms.push(payers(companyId))
  if (may(viewer, 'tickets:showAll')) return [...rooms, admins(companyId), unlimited(companyId)]
  if (may(viewer, 'team')) rooms.push(teamWatchers(companyId))
  const queueIds: (number | null)[] = [...viewer.queueIds]
  if (viewer.authorization.allowNoQueue === 1) queueIds.push(null)
  const seesAll = may(viewer, 'contacts:all')
  const members = queueIds.map(id => queueMembers(companyId, id))
  const own = [
    oneUser(companyId, viewer.id),
    ...(seesAll ? members : members.map(room => ofCustomers(room, viewer.id))),
  ]
  if (may(viewer, 'tickets:viewPending')) own.push(...own.map(lookingInto))
  if (!seesAll) own.push(limited(companyId), ...queueIds.map(id => allMembers(companyId, id)[1]!))
  else own.push(unlimited(companyId))
  return [...new Set([...rooms, notAdmins(companyId), ...own])]
}

/** Joins and leaves rooms as these rights decide. Rooms that were asked for under other rights are left. */
export async function settleRooms(socket: LiveSocket, viewer: Viewer) {
  const rooms = roomsOf(viewer)
  const had = [...socket.rooms].filter(isByRight)
  socket.data.viewer = viewer
  if (had.length === rooms.length && rooms.every(room => socket.rooms.has(room))) return
  for (const room of socket.rooms)
    if (room.startsWith('company:') && !rooms.includes(room as Room)) await socket.leave(room)
  await socket.join(rooms)
}

/** Rooms that a client asked for and was let into; the others follow from its rights. */
const ASKED = /^company:\d+:(ticket|status|notification|campaign|visited)\b/
export const isByRight = (room: string) => room.startsWith('company:') && !ASKED.test(room)
