import type { App } from '@balcao/cloud-api-server/app.ts'
import type { CloudApiServer } from '@balcao/cloud-api-server/server.ts'
import { clients } from '@balcao/contract/clients.ts'
import { connections } from '@balcao/contract/connections.ts'
import { plans } from '@balcao/contract/plans.ts'
import { queues } from '@balcao/contract/queues.ts'
import { users } from '@balcao/contract/users.ts'
import { until } from '../../../apps/server/testing/person.ts'
import { type Patient, patient } from './people.ts'

export const MASTER = { email: 'operador@balcao.test', password: 'senha-do-operador' }

/** A company of the installation, as its admin and its customers reach it. */
export interface Company {
  /** From 1: its texts begin with it. */
  place: number
  id: number
  admin: Patient
  password: string
  queueId: number
  number: CloudApiServer['number']
}

const VERIFY_TOKEN = 'palavra-combinada'

/** The master founds a company with a plan; its admin adds a queue and a number of the official API. */
export async function found(meta: CloudApiServer, url: string, place: number): Promise<Company> {
  const master = patient(url, MASTER.email, MASTER.password)
  const [email, password] = [`dona@empresa${place}.test`, `senha-da-dona-${place}`]
  const plan = await master.get(plans.create, {
    body: { name: `Plano ${place}`, numberAttendants: 3, numberConnections: 1, value1Month: 9_900 },
  })
  const { company } = await master.get(clients.create, {
    body: { name: `Empresa ${place}`, email, userName: `Dona ${place}`, passwordDefault: password },
  })
  await master.get(plans.assign, { params: { companyId: company.id, planId: plan.id } })
  const admin = patient(url, email, password)
  const queue = await admin.get(queues.create, { body: { name: 'Atendimento', color: '#1273de' } })
  const { user } = await admin.entered()
  await admin.get(users.change, { params: { userId: user.id }, body: { queueIds: [queue.id] } })
  const number = await connect(meta, url, admin, queue.id, place)
  return { place, id: company.id, admin, password, queueId: queue.id, number }
}

/** With an app, an account and a number of its own at Meta, whose webhooks go to the proxy. */
async function connect(meta: CloudApiServer, url: string, admin: Patient, queueId: number, place: number) {
  const app: App = meta.addApp({ name: `App ${place}` })
  const account = app.addAccount({ name: `Empresa ${place}` })
  const number = account.addNumber(`5521300${String(place).padStart(5, '0')}`)
  const cloud = {
    phoneNumberId: number.id,
    businessAccountId: account.id,
    accessToken: app.addToken([account]).value,
    appSecret: app.secret,
    verifyToken: VERIFY_TOKEN,
  }
  const { id: whatsappId, cloud: shown } = await admin.get(connections.create, {
    body: { name: 'Oficial', lib: 'cloud', queueIds: [queueId], cloud },
  })
  await app.subscribe(url + shown!.webhookPath, VERIFY_TOKEN)
  const isConnected = async () =>
    (await admin.get(connections.show, { params: { whatsappId } })).status === 'CONNECTED'
  await until(isConnected, 60_000)
  return number
}
