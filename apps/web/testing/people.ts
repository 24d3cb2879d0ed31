import type { Session } from '@balcao/contract/auth.ts'
import { UserAuthorization } from '@balcao/contract/permissions.ts'
import { User } from '@balcao/contract/users.ts'
import { type Partly, sample } from './samples.ts'

/** Default rights of a group: as documented. */
const group = sample(UserAuthorization, {
  id: 1,
  name: 'Operacionais',
  allowCategorizeContacts: true,
  allowCreateCategoryContacts: true,
  allowViewPendingTickets: true,
  allowNoQueue: 1,
  enableDash: 1,
})

/** The queues of the company. */
export const queuesOf = [
  { id: 1, name: 'Suporte', color: '#fe9200' },
  { id: 2, name: 'Vendas', color: '#1273de' },
]

const colleague = sample(User, {
  companyId: 2,
  queues: queuesOf,
  queueIds: queuesOf.map(({ id }) => id),
  whatsappId: 1,
  whatsapp: { id: 1, name: 'Loja Centro' },
  userAuthorizationId: group.id,
  userAuthorization: group,
  volume: 50,
  company: {
    id: 2,
    companyName: 'Lume Móveis',
    timeZone: 'America/Sao_Paulo',
    phoneCountry: 'BR',
    enableReports: true,
    enableDashboard: true,
    enableCampaigns: true,
    enableSchedules: true,
    enableBots: true,
    enableFlows: true,
    plan: [{ id: 1, name: 'Padrão', iaIntegrationEnabled: true, enableFlows: true }],
  },
})

const of = (name: string, id: number, given: Partial<User>): User => ({
  ...colleague,
  ...{ id, name, email: `${name.split(' ')[0]!.toLowerCase()}@balcao.test` },
  ...given,
})

/** An attendant; the arguments of a test change her group or her company. */
export const marina = of('Marina Duarte', 3, { profile: 'user' })
/** The company's admin, who also sees its bill. */
export const helena = of('Helena Prado', 2, {
  profile: 'admin',
  payPanelAccess: true,
  userAuthorization: { ...group, name: 'Administradores', enableAdministration: 1, allowTicketExport: true },
})
/** The operator of the platform. */
export const operator = of('Operador', 1, {
  companyId: 1,
  master: 1,
  profile: 'admin',
  userAuthorization: null,
})

/** A user as a test needs it: with another group, company or other values. */
export const butWith = (user: User, given: Partly<User>): User => {
  const { userAuthorization, company, ...own } = given as Partial<User>
  return User.parse({
    ...user,
    ...own,
    ...(user.userAuthorization && { userAuthorization: { ...user.userAuthorization, ...userAuthorization } }),
    company: { ...user.company, ...company },
  })
}

export const sessionOf = (user: User): Session => ({ token: `token of ${user.id}`, user })
