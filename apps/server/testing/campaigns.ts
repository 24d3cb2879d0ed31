import { campaignSetups } from '@balcao/contract/campaignSetups.ts'
import { campaigns } from '@balcao/contract/campaigns.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { dueTopic } from '../src/platform/work/due.ts'
import { newNumber, type Rows, unique } from './rows.ts'
import { type Person, type TestApp, until } from './test-app.ts'

/** A company that has campaigns, and helpers of its tests; `over` defaults to a number of the simulator. */
export async function openCampaigns(
  app: TestApp,
  admin: Person,
  rows: Pick<Rows, 'connection'>,
  over?: number,
) {
  await app.database.script('update companies set enable_campaigns = true')
  const line = over ?? (await rows.connection())

  /** By default one without pauses between recipients. */
  const setup = async (fields: object = {}, quick = true) => {
    const body = { name: `Configuração ${unique()}`, whatsapps: [line], autoStart: false, ...fields }
    const made = await admin.get(campaignSetups.create, { body })
    if (quick)
      await app.database.script(
        `update campaign_setups set t_min = 0, t_max = 0, interval_seconds = 0 where id = '${made.id}'`,
      )
    return made
  }
  const make = async (fields: object = {}, setupId?: string) => {
    const token = setupId ?? (await setup()).id
    const body = { name: `Campanha ${unique()}`, messages: [{ body: 'Novidades da loja' }], ...fields }
    const headers = { authorization: `Bearer ${token}` }
    return app.anonymous.get(campaigns.createWhole, { body, headers })
  }
  const show = async (campaignId: number) =>
    (await admin.get(campaigns.show, { params: { campaignId } })).campaign
  const people = async (campaignId: number, query: object = {}) =>
    (await admin.get(campaigns.dispatches, { params: { campaignId }, query })).campaignDispatches
  const act = (campaignId: number, action: 'start' | 'pause' | 'finalized', who = admin) =>
    who.call(campaigns.process, { params: { campaignId, action } })
  /** Looked for more often than each second. */
  const stands = (campaignId: number, status: string) =>
    until(async () => {
      app.platform.signals.notify(dueTopic('campaigns'))
      const campaign = await show(campaignId)
      return campaign.status === status && campaign
    })
  const heard = async (number: string, whatsappId = line) =>
    (await admin.get(simulator.chat, { params: { whatsappId, number } })).flatMap(one =>
      one.fromMe ? one.body : [],
    )
  const writes = (number: string, body: string, whatsappId = line) =>
    admin.get(simulator.write, { params: { whatsappId }, body: { number, name: 'Ana', body } })
  const fault = (kind: 'offline' | 'slow' | 'reject' | 'none', whatsappId = line) =>
    admin.get(simulator.fault, { params: { whatsappId }, body: { kind } })
  return { line, setup, make, show, people, act, stands, heard, writes, fault }
}
export type Campaigns = Awaited<ReturnType<typeof openCampaigns>>

export const numbers = (many: number) => Array.from({ length: many }, () => newNumber())
