import { bots } from './bots.ts'
import { categories } from './categories.ts'
import { companies } from './companies.ts'
import { connections } from './connections.ts'
import { contacts } from './contacts.ts'
import { flows } from './flows.ts'
import { kanban } from './kanban.ts'
import type { Route } from './kit.ts'
import { locations } from './locations.ts'
import { messages } from './messages.ts'
import { optOuts } from './optOuts.ts'
import { permissions } from './permissions.ts'
import { queues } from './queues.ts'
import { quickAnswers } from './quickAnswers.ts'
import { reports } from './reports.ts'
import { schedules } from './schedules.ts'
import { tags } from './tags.ts'
import { tickets } from './tickets.ts'
import { users } from './users.ts'
import { type VisitSubject, visits } from './visits.ts'

const all = (subject: VisitSubject, ...routes: Route[]) =>
  routes.map((route): [Route, VisitSubject] => [route, subject])

/**
 * Calls that a visitor may make, and how each is logged: none that changes anything, exports a company's data as a
 * file, or returns credentials of programs (tokens, setups of campaigns, webhooks). Calls not listed are refused.
 */
const open = new Map<Route, VisitSubject>([
  ...all('tickets', tickets.list, tickets.show, tickets.story, tickets.query),
  ...all('conversation', messages.list, messages.files),
  ...all('contacts', contacts.list, categories.list, categories.all, categories.show, optOuts.list),
  ...all('contact', contacts.show, optOuts.ofContact),
  ...all('board', kanban.lanes, kanban.tickets),
  ...all('people', users.list, users.all, users.show, permissions.list, permissions.show),
  ...all('queues', queues.list, queues.show),
  ...all('connections', connections.list, connections.show, locations.list, locations.show),
  ...all('texts', quickAnswers.list, quickAnswers.show, tags.list, tags.all, tags.show),
  ...all('schedules', schedules.list, schedules.show),
  ...all('bots', bots.showSession, bots.script, flows.list, flows.show, flows.running),
  ...all('figures', reports.dash, reports.attendances, reports.hours, reports.online, reports.targets),
  ...all('company', companies.show, visits.list),
] as [Route, VisitSubject][])

/** As what a call of a visitor is written down; null where it is closed to visitors. */
export const subjectOf = (route: Route): VisitSubject | null => open.get(route) ?? null

/** Every call that is open to visitors. */
export const openToVisitors = (): Route[] => [...open.keys()]
