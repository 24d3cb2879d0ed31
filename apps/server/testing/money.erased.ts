import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import { recordUnknown } from '../src/features/charges/charges.actions.ts'
import { removeClient } from '../src/features/clients/clients.actions.ts'
import { eraseLeaving } from '../src/features/clients/clients.worker.ts'
import type { ChargeState } from '../src/payments/payments.ts'
import { sql as tag } from '../src/platform/postgres/sql.ts'
import type { PlatformScope } from '../src/platform/scope.ts'
import { type FoundCharge, type Life, type MoneyScene, type Of, read, writing } from './money.scene.ts'
import { ZONE } from './money.zone.ts'

/** The company is deleted; its charges are given up at the providers, and what was to be given back is. */
export async function erase({ scene, life, platform }: Of<'erase'>): Promise<void> {
  const { app, viewer } = scene
  const { companyId } = life
  life.left = await read<FoundCharge>(
    platform,
    tag`select reference, charge_id as "chargeId", provider, value from charges
      where company_id = ${companyId} and charge_id is not null order by created_at, reference`,
  )
  await app.database.script(`update charges set state = 'over' where company_id = ${companyId} and state in ('wanted', 'open', 'unwanted');
    update payment_refunds set state = 'done', done_at = now() where company_id = ${companyId} and state in ('wanted', 'asked')`)
  await removeClient(platform, viewer, companyId)
  await eraseLeaving({ ...app.platform, beside: work => void work() })
}

/** What a provider says of a charge whose company is deleted. */
export const reportErased = (
  platform: PlatformScope,
  life: Life,
  { provider, chargeId, value }: FoundCharge,
  state: Pick<ChargeState, 'status' | 'refundedValue' | 'isLost'>,
) =>
  recordUnknown(platform, writing(life), {
    ...{ provider, chargeId, value, payDate: life.today, receiptUrl: '', zone: ZONE, ...state },
  })

/** Of each payment the copies say what came and went back; what came afterwards waits for a master. */
export async function auditErased({ app }: MoneyScene, life: Life): Promise<void> {
  const platform = app.platform.scopes.platform()
  const [company] = await read<{ many: number }>(
    platform,
    tag`select count(*)::int as many from companies where id = ${life.companyId}`,
  )
  expect(company).toEqual({ many: 0 })
  for (const [chargeId, { charge, value, back }] of life.collected) {
    const digest = createHash('sha256').update(`${charge.provider}:${chargeId}`).digest('hex')
    const [kept] = await read<{ came: number; back: number }>(
      platform,
      tag`with rows as (
          select value from former_receipts where digest = ${digest}
          union all select value from payments where provider_id = ${chargeId}
          union all select -r.value from payment_refunds r join payments p on p.id = r.payment_id where p.provider_id = ${chargeId})
        select coalesce(sum(value) filter (where value > 0), 0)::int as came,
          coalesce(-sum(value) filter (where value < 0), 0)::int as back from rows`,
    )
    expect({ chargeId, ...kept }).toEqual({ chargeId, came: value, back })
  }
}
