import { randomInt, randomUUID } from 'node:crypto'
import { refuse } from '../../platform/errors.ts'
import type { Scope } from '../../platform/scope.ts'
import { findCampaignSetup } from '../campaignSetups/campaignSetups.queries.ts'
import { connectionsUnderWay, whyNotUnderWay } from '../connections/connections.queries.ts'
import { readRow } from '../contactSheets/contactSheets.rows.ts'
import { voiceOf } from './campaigns.forecast.ts'
import { firstPerson, lookAt } from './campaigns.queries.ts'
import { speak } from './campaigns.speak.ts'

/** Somebody's name, where nobody has one. */
const EXAMPLE = 'Maria Souza'
/** The pause between what is tried: nobody is written to but who asked for it. */
const WITHIN_MS = 1_000

/**
 * Sends each message of a campaign to one number, counted nowhere, with what the first of its people would get; without
 * people the places of a spreadsheet are filled by nothing. Answers how many. Refuses with ERR_NOT_FOUND,
 * ERR_CAMPAIGN_EMPTY, ERR_CAMPAIGN_NO_SETUP, ERR_WAPP_NOT_INITIALIZED,
 * ERR_COMPANY_SUSPENDED, ERR_BAD_REQUEST for what is no number, and ERR_WAPP_INVALID_CONTACT, ERR_WAPP_WINDOW_CLOSED, ERR_CAMPAIGN_VARIABLE.
 */
export const tryCampaign = (scope: Scope, campaignId: number, given: string): Promise<{ sent: number }> =>
  scope.transaction(async tx => {
    const { number, fault } = readRow([given], { name: null, number: 0, email: null })
    if (fault) return refuse('ERR_BAD_REQUEST', { field: 'number', message: 'No phone number' })
    const { setupId } = await lookAt(tx, campaignId)
    if (setupId === null) return refuse('ERR_CAMPAIGN_NO_SETUP', { field: 'campaignSetupId' })
    const underWay = await connectionsUnderWay(tx)
    const line = (await findCampaignSetup(tx, setupId)).whatsapps.find(({ id }) => underWay.includes(id))
    if (!line) return refuse(await whyNotUnderWay(tx))
    const voice = await voiceOf(tx, campaignId, line.id)
    if (voice.messages.length === 0) return refuse('ERR_CAMPAIGN_EMPTY')
    const { name, values } = (await firstPerson(tx, campaignId)) ?? { name: '', values: {} }
    for (const [position, message] of voice.messages.entries()) {
      const person = { id: randomInt(2 ** 31), position: 0, name: name || EXAMPLE, number, values }
      const alone = { ...voice, messages: [message] }
      const how = { cause: randomUUID(), now: Date.now() + position, withinMs: WITHIN_MS }
      const said = await speak(tx, alone, person, how)
      if ('reason' in said) refuse(said.reason, { field: 'number' })
    }
    return { sent: voice.messages.length }
  })
