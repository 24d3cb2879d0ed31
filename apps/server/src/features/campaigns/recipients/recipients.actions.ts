import type { Added } from '@balcao/contract/campaignPeople.ts'
import { type Campaign, MAX_RECIPIENTS, type Recipients } from '@balcao/contract/campaignShapes.ts'
import { cut } from '@balcao/contract/cut.rules.ts'
import type { CountryCode } from '@balcao/contract/numbers.rules.ts'
import { refuse } from '../../../platform/errors.ts'
import type { SQL } from '../../../platform/postgres/sql.ts'
import type { Scope, Tx } from '../../../platform/scope.ts'
import { phoneCountryOf } from '../../companies/companies.queries.ts'
import { readingsOf, readRow } from '../../contactSheets/contactSheets.rules.ts'
import { clockSet, publishCampaign } from '../campaigns.events.ts'
import { countPeople, findCampaignRow, lockManagedCampaign } from '../campaigns.queries.ts'
import { wakeClocks } from '../run/outcome.queries.ts'
import { finishIfOver } from '../run/status.actions.ts'
import { deletePending } from './pending.queries.ts'
import {
  type Counted,
  countPeopleFrom,
  fromSheet,
  insertFrom,
  ofCategories,
  ofTags,
  rowsGiven,
} from './recipients.queries.ts'

/**
 * Adds recipients, each number once however it is written. Refuses with ERR_NOT_FOUND, ERR_NO_PERMISSION,
 * ERR_CAMPAIGN_FINALIZED, ERR_SHEET_NOT_READY, and ERR_BAD_REQUEST above the maximum of a campaign.
 */
export const addRecipients = (scope: Scope, campaignId: number, input: Recipients): Promise<Added> =>
  scope.transaction(async tx => {
    const { status } = await lockManagedCampaign(tx, campaignId)
    if (status === 'finalized') return refuse('ERR_CAMPAIGN_FINALIZED')
    const added = await addPeople(tx, campaignId, input)
    if (status === 'start') {
      await wakeClocks(tx, campaignId)
      tx.emit(clockSet, {})
    }
    await publishCampaign(tx, campaignId)
    return added
  })

/** Removes all pending recipients. Refuses with ERR_NOT_FOUND and ERR_NO_PERMISSION. */
export const clearRecipients = (scope: Scope, campaignId: number): Promise<Campaign> =>
  scope.transaction(async tx => {
    await lockManagedCampaign(tx, campaignId)
    const deleted = await deletePending(tx, campaignId)
    await finishIfOver(tx, await countPeople(tx, campaignId, { total: -deleted }))
    return publishCampaign(tx, campaignId)
  })

/** How many people would be added, without a write. Refuses with ERR_NOT_FOUND, ERR_SHEET_NOT_READY. */
export async function countRecipients(
  tx: Tx,
  { campaignId = null, ...input }: Recipients & { campaignId?: number | null | undefined },
) {
  if (campaignId !== null) await findCampaignRow(tx, campaignId)
  const { rows } = readNumbers(input.sendList ?? [], await phoneCountryOf(tx))
  return countPeopleFrom(tx, campaignId, await sourcesOf(tx, input, rows), input.without)
}

/** The same as `addRecipients` in a transaction that holds the campaign. */
export async function addPeople(tx: Tx, campaignId: number, input: Recipients): Promise<Added> {
  const { rows, faults, refused } = readNumbers(input.sendList ?? [], await phoneCountryOf(tx))
  const all: Counted = { added: 0, doubled: 0, optedOut: 0, excluded: 0 }
  for (const source of await sourcesOf(tx, input, rows)) {
    const some = await insertFrom(tx, campaignId, source, input.without)
    for (const name of ['added', 'doubled', 'optedOut', 'excluded'] as const) all[name] += some[name]
  }
  await countPeople(tx, campaignId, { total: all.added, failed: all.optedOut })
  await checkTotal(tx, campaignId)
  return { ...all, refused, faults }
}

async function sourcesOf(tx: Tx, input: Recipients, rows: object[]): Promise<SQL[]> {
  const { categoryIds = [], tagIds = [], sheetId } = input
  return [
    ...(rows.length > 0 ? [rowsGiven(rows)] : []),
    ...(sheetId ? await fromSheet(tx, sheetId) : []),
    ...(categoryIds.length > 0 ? [ofCategories(tx, categoryIds)] : []),
    ...(tagIds.length > 0 ? [ofTags(tx, tagIds, input)] : []),
  ]
}

async function checkTotal(tx: Tx, campaignId: number) {
  const { total } = await findCampaignRow(tx, campaignId)
  if (total > MAX_RECIPIENTS)
    refuse('ERR_BAD_REQUEST', { field: 'sendList', message: `At most ${MAX_RECIPIENTS}` })
}

const FAULTS_SHOWN = 100

const columns = { name: null, number: 0, email: null }

/** Reads the numbers like a sheet of contacts; `faults` are the first invalid ones. */
function readNumbers(sendList: NonNullable<Recipients['sendList']>, country: CountryCode) {
  const rows: { name: string; number: string; key: string; row_values: object }[] = []
  const faults: Added['faults'] = []
  let refused = 0
  for (const [at, { number: written, values }] of sendList.entries()) {
    const { number, key, fault } = readRow([written], columns, { country, twoReadings: 'refuse' })
    const name = cut((values.name_opcional ?? values.name ?? values.nome ?? '').trim(), 50)
    if (!fault) rows.push({ name, number, key, row_values: { ...values, ...emailOf(values) } })
    else {
      refused++
      const numbers = fault === 'ambiguous' ? readingsOf(written, country) : undefined
      if (faults.length < FAULTS_SHOWN)
        faults.push({ row: at + 1, number: written, fault, ...(numbers && { numbers }) })
    }
  }
  return { rows, faults, refused }
}

const emailOf = (values: Record<string, string>) =>
  values.email_opcional ? { email: values.email_opcional } : {}
