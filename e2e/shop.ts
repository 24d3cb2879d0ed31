import { categories } from '@balcao/contract/categories.ts'
import { clients } from '@balcao/contract/clients.ts'
import { connections } from '@balcao/contract/connections.ts'
import { permissions } from '@balcao/contract/permissions.ts'
import { plans } from '@balcao/contract/plans.ts'
import { queues } from '@balcao/contract/queues.ts'
import { quickAnswers } from '@balcao/contract/quickAnswers.ts'
import { tags } from '@balcao/contract/tags.ts'
import { users } from '@balcao/contract/users.ts'
import { type Calls, callsOf } from './call.ts'
import { PASSWORD } from './people.ts'

/** A separate company with three people for each worker: not written to or changed by others. */
export interface Shop extends Calls {
  companyId: number
  name: string
  /** Helena, its admin, who also sees its bill. */
  admin: string
  /** Marina. */
  attendant: string
  /** Caio. */
  colleague: string
  /** Its one number, on the simulator; none where the product knows no simulator. */
  whatsappId: number
  groupId: number
  queueIds: number[]
}

const enabled = {
  ...{ enableReports: true, enableDashboard: true, enableCampaigns: true },
  ...{ enableSchedules: true, enableBots: true, enableFlows: true },
}

let founded = 0
const stampOf = () => `${process.pid}${Date.now().toString().slice(-7)}${founded++}`

/** Founds it by the API, as the operator and its admin would. */
export async function foundShop(
  url: string,
  { master = 'master@balcao.test', simulator = true } = {},
): Promise<Shop> {
  const stamp = stampOf()
  const [admin, attendant, colleague] = ['helena', 'marina', 'caio'].map(name => `${name}${stamp}@lume.test`)
  const { call: operate } = await callsOf(url, master)
  const name = `Lume ${stamp}`
  const switches = { numberAttendants: 200, numberConections: 200, ...enabled }
  const { company } = await operate(clients.create, {
    body: { name, email: admin!, userName: 'Helena Prado', passwordDefault: PASSWORD, ...switches },
  })
  const limits = { numberAttendants: 200, numberConnections: 200, campaignSendLimitPerHour: 100_000 }
  const plan = { name: 'Com tudo', iaIntegrationEnabled: true, enableApi: true, ...enabled, ...limits }
  await operate(plans.create, { body: { ...plan, companyId: company.id } })
  await operate(clients.change, { params: { companyId: company.id }, body: switches })

  const helena = await callsOf(url, admin!)
  const { call } = helena
  const queueIds: number[] = []
  for (const [name, color] of Object.entries({
    Suporte: '#fe9200',
    Vendas: '#1273de',
    Financeiro: '#008b02',
  }))
    queueIds.push((await call(queues.create, { body: { name, color } })).id)
  const { id: groupId } = await call(permissions.create, {
    body: { name: 'Operacionais', enableAdministration: 0, enableDash: 0 },
  })
  const whatsappId = simulator ? await addLine(helena, 'Loja Centro') : 0
  const team = { queueIds, ...(simulator && { whatsappId }) }
  await call(users.change, { params: { userId: helena.user.id }, body: team })
  for (const [name, email] of [
    ['Marina Duarte', attendant!],
    ['Caio Ribeiro', colleague!],
  ] as const)
    await call(users.create, {
      body: { name, email, password: PASSWORD, profile: 'user', userAuthorizationId: groupId, ...team },
    })
  await stock(helena)
  const { user } = await callsOf(url, admin!)
  return {
    ...helena,
    user,
    companyId: company.id,
    name,
    whatsappId,
    groupId,
    queueIds,
    admin: admin!,
    attendant: attendant!,
    colleague: colleague!,
  }
}

/** A number of its own on the simulator, ready to write and be written to. */
export async function addLine({ call }: Calls, name: string): Promise<number> {
  const { id } = await call(connections.create, { body: { name, lib: 'simulator' } })
  await call(connections.start, { params: { whatsappId: id } })
  return id
}

/** Data of the new company from its first day. */
async function stock({ call }: Calls) {
  for (const [shortcut, message] of Object.entries({
    entrega: 'Oi, {{cliente}}! Sua entrega está marcada. A equipe liga meia hora antes de chegar.',
    entregaok: 'Entrega concluída. Obrigado!',
    pix: 'Pagando por Pix há 5% de desconto.',
  }))
    await call(quickAnswers.create, { body: { shortcut, message } })
  for (const name of ['Troca', 'VIP']) await call(tags.create, { body: { name } })
  for (const name of ['Arquiteto', 'Empresa']) await call(categories.create, { body: { name } })
}
