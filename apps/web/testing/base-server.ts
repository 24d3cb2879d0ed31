import { USUAL_PASSWORD } from '@balcao/contract/accounts.rules.ts'
import { assignment } from '@balcao/contract/assignment.ts'
import { auth } from '@balcao/contract/auth.ts'
import { autopay } from '@balcao/contract/autopay.ts'
import { availability, OwnAvailability } from '@balcao/contract/availability.ts'
import { businessHours } from '@balcao/contract/businessHours.ts'
import { categories } from '@balcao/contract/categories.ts'
import { closingReasons } from '@balcao/contract/closingReasons.ts'
import { Branding, companies } from '@balcao/contract/companies.ts'
import { Connection, connections } from '@balcao/contract/connections.ts'
import { drafts } from '@balcao/contract/drafts.ts'
import { flows } from '@balcao/contract/flows.ts'
import { invitations } from '@balcao/contract/invitations.ts'
import type { Channel } from '@balcao/contract/kit.ts'
import { mentions } from '@balcao/contract/mentions.ts'
import { pauseReasons } from '@balcao/contract/pauseReasons.ts'
import { payments } from '@balcao/contract/payments.ts'
import { permissions } from '@balcao/contract/permissions.ts'
import { Plan, plans } from '@balcao/contract/plans.ts'
import { push } from '@balcao/contract/push.ts'
import { Queue, queues } from '@balcao/contract/queues.ts'
import { quickAnswers } from '@balcao/contract/quickAnswers.ts'
import { tags } from '@balcao/contract/tags.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { type User, UserChoice, userChannel, users } from '@balcao/contract/users.ts'
import { views } from '@balcao/contract/views.ts'
import { queuesOf, sessionOf } from './people.ts'
import { sample, samples } from './samples.ts'
import { type Server, server } from './server.ts'

/** A server that answers what every screen requests beside its own: session, branding, waiting tickets. */
export function baseServer(user: User | null): Server {
  const here = server()
    .on(
      companies.branding,
      sample(Branding, {
        platformName: 'Balcão',
        timeZone: 'America/Sao_Paulo',
        demo: true,
        drill: false,
        mail: true,
        passwordLength: USUAL_PASSWORD,
      }),
    )
    .on(tickets.list, { tickets: [], hasMore: false, count: 0 })
    .on(tickets.attendants, [])
    .on(queues.list, samples(Queue, queuesOf))
    .on(connections.list, [
      sample(Connection, {
        id: 1,
        name: 'Loja Centro',
        lib: 'simulator',
        status: 'CONNECTED',
        isDefault: true,
      }),
    ])
    .on(invitations.list, [])
    .on(payments.toReview, { payments: [], hasMore: false })
    .on(autopay.show, { offered: [], autopay: null })
    .on(autopay.companies, { companies: [], hasMore: false })
    .on(drafts.list, { drafts: [] })
    .on(views.list, { views: [] })
    .on(availability.own, () =>
      sample(OwnAvailability, {
        id: user?.id ?? 0,
        name: user?.name ?? '',
        state: 'available',
        cause: 'hand',
      }),
    )
    .on(availability.hours, { working: [], login: [] })
    .on(availability.settings, { silenceMinutes: null })
    .on(pauseReasons.list, { pauseReasons: [], hasMore: false })
    .on(push.settings, { mine: true, queues: true, mentions: true, quietFrom: null, quietTo: null })
    .on(push.devices, { subscriptions: [] })
    .on(mentions.list, { mentions: [], unread: 0, hasMore: false })
    .on(drafts.save, ({ params, body }) => ({ ...params, ...body }))
    .on(closingReasons.choices, { closingReasons: [], reasonRequired: false })
    .on(closingReasons.showQueue, { reasonRequired: false, farewell: '' })
    .on(businessHours.show, { hours: [], holidays: [] })
    .on(plans.public, { plans: samples(Plan, [{ id: 1, name: 'Padrão' }]) })
    .on(
      users.all,
      samples(UserChoice, [
        { id: 2, name: 'Helena Prado' },
        { id: 3, name: 'Marina Duarte' },
      ]),
    )
    .on(tags.all, [])
    .on(categories.all, [])
    .on(permissions.list, { userAuthorizations: [], hasMore: false })
    .on(quickAnswers.list, { quickAnswers: [], hasMore: false })
    .on(flows.list, { flows: [], hasMore: false })
    .on(assignment.list, { assignments: [] })
  return user ? withOwnRecord(here.on(auth.refresh, sessionOf(user)), user) : here
}

/** Answers the own record as it was pushed last. */
function withOwnRecord(here: Server, user: User): Server {
  let own = user
  const { push } = here
  const follow: Server['push'] = (channel, payload) => {
    const { user: pushed } = payload as { user?: User }
    if ((channel as Channel) === userChannel && pushed?.id === user.id) own = pushed
    push(channel, payload)
  }
  return Object.assign(
    here.on(users.show, () => own),
    { push: follow },
  )
}
