import type { Connection } from '@balcao/contract/connections.ts'
import { useQuery } from '@tanstack/react-query'
import { phoneText } from '../../platform/phone.ts'
import { useMay } from '../../platform/session.tsx'
import { useBranding } from '../../shell/branding.ts'
import { ownHours } from '../businessHours/businessHours.api.ts'
import { platformSettings } from '../companies/companies.api.ts'
import { connectionChoices } from '../connections/connections.choices.ts'
import { offeredPlans } from '../plans/plans.api.ts'
import { queueChoices } from '../queues/queues.choices.ts'
import { stable, useTicketList } from '../tickets/tickets.api.ts'
import { openInvitations, userChoices } from '../users/users.api.ts'
import { useFirstText } from './firstSteps.text.ts'

export interface Step {
  key:
    | 'connect'
    | 'queues'
    | 'invite'
    | 'hours'
    | 'attempt'
    | 'mail'
    | 'address'
    | 'plans'
    | 'provider'
    | 'notices'
    | 'grace'
    | 'signUp'
  done: boolean
  hint: string
  /** Where it is done: a path of the app, or an address outside of it. */
  acts: { label: string; to: string }[]
}

/** Shows with this many tickets that a company works already. */
const ESTABLISHED = 20

/** Open steps of an empty company. Null until all of it is known; `over` when none is left. */
export function useCompanySteps(): { steps: Step[]; over: boolean } | null {
  const t = useFirstText()
  const admin = useMay('admin')
  const connections = useQuery(connectionChoices).data
  const queues = useQuery(queueChoices).data
  const users = useQuery(userChoices).data
  const invitations = useQuery(openInvitations).data
  const hours = useQuery(ownHours).data
  const { list } = useTicketList(stable({ search: true, status: null, showAll: true }))
  if (!connections || !queues || !users || !invitations || !hours || !list) return null
  const steps: Step[] = [
    connectStep(connections, admin, t),
    {
      key: 'queues',
      done: queues.length > 0,
      hint: t('queuesHint'),
      acts: [{ label: t('queuesAct'), to: '/queues/new' }],
    },
    {
      key: 'invite',
      done: users.length > 1 || invitations.length > 0,
      hint: t('inviteHint'),
      acts: [{ label: t('inviteAct'), to: '/invitations/new' }],
    },
    hoursStep(
      hours.hours.length > 0,
      [...connections, ...queues].some(one => one.greetingMessage),
      greetingAct(connections, admin, t),
      t,
    ),
    attemptStep(connections, list.tickets.length > 0, t),
  ]
  return { steps, over: list.tickets.length >= ESTABLISHED || steps.every(({ done }) => done) }
}

type Text = ReturnType<typeof useFirstText>

const connectedOf = (connections: Connection[]) => connections.find(one => one.status === 'CONNECTED')

/** The part that is missing is named. */
const hoursStep = (hasHours: boolean, isGreeting: boolean, greeting: Step['acts'], t: Text): Step => ({
  key: 'hours',
  done: hasHours && isGreeting,
  hint: t(hasHours ? 'greetingMissing' : isGreeting ? 'hoursMissing' : 'hoursHint'),
  acts: [
    ...(hasHours ? [] : [{ label: t('hoursAct'), to: '/settings?section=hours' }]),
    ...(isGreeting ? [] : greeting),
  ],
})

const connectStep = (connections: Connection[], admin: boolean, t: Text): Step => ({
  key: 'connect',
  done: connectedOf(connections) !== undefined,
  hint: connections[0] ? t('connectMissing', { name: connections[0].name }) : t('connectHint'),
  acts: [
    connections.length > 0 || !admin
      ? { label: t('connectOn'), to: '/connections' }
      : { label: t('connectAct'), to: '/connections/new' },
  ],
})

const greetingAct = ([first]: Connection[], admin: boolean, t: Text): Step['acts'] =>
  first && admin ? [{ label: t('greetingAct'), to: `/connections/${first.id}` }] : []

function attemptStep(connections: Connection[], done: boolean, t: Text): Step {
  const connected = connectedOf(connections)
  const number = connected?.whatsappNumber ?? ''
  const acts =
    connected?.lib === 'simulator'
      ? [{ label: t('phoneAct'), to: `/simulator/${connected.id}` }]
      : number
        ? [{ label: t('attemptAct'), to: `https://wa.me/${number}` }]
        : []
  const hint = connected
    ? connected.lib === 'simulator' || !number
      ? t('attemptPhone')
      : t('attemptHint', { number: phoneText(number) })
    : t('attemptLater')
  return { key: 'attempt', done, hint, acts }
}

/** Open steps of the operator of a new platform, derived from the server's state. */
export function useOperatorSteps(): { steps: Step[]; over: boolean } | null {
  const t = useFirstText()
  const { mail, payments, backendUrl, userCreation, timeZone } = useBranding()
  const plans = useQuery(offeredPlans).data
  const connections = useQuery(connectionChoices).data
  const settings = useQuery(platformSettings).data
  if (!plans || !connections || !timeZone || !settings) return null
  const steps: Step[] = [
    { key: 'mail', done: mail, hint: t('mailHint'), acts: [] },
    { key: 'address', done: backendUrl !== '', hint: t('addressHint'), acts: [] },
    {
      key: 'plans',
      done: plans.length > 0,
      hint: t('plansHint'),
      acts: [{ label: t('plansAct'), to: '/plans/new' }],
    },
    {
      key: 'provider',
      done: payments,
      hint: t('providerHint'),
      acts: [{ label: t('providerAct'), to: '/settings?section=payments' }],
    },
    {
      key: 'notices',
      done: connections.some(one => one.saasNotificationCenter),
      hint: t('noticesHint'),
      acts: [{ label: t('noticesAct'), to: connections.length > 0 ? '/connections' : '/connections/new' }],
    },
    {
      key: 'grace',
      done: settings.get('graceDays')?.isChosen === true,
      hint: t('graceHint'),
      acts: [{ label: t('graceAct'), to: '/settings?section=platform' }],
    },
    {
      key: 'signUp',
      done: userCreation === 'enabled',
      hint: t('signUpHint'),
      acts: [{ label: t('signUpAct'), to: '/settings?section=platform' }],
    },
  ]
  return { steps, over: steps.every(({ done }) => done) }
}
