import { parseBrl } from '@balcao/contract/invoices.rules.ts'
import { couponCodeOf } from '@balcao/contract/pricing.rules.ts'
import { pricing } from '@balcao/contract/pricing.ts'
import { isUniqueViolation, refuse } from '../../platform/errors.ts'
import { serve, serveOpen } from '../../platform/http/routes.ts'
import { type Scope, type Scopes, type Tx, viewerOf } from '../../platform/scope.ts'
import { reachClient } from '../clients/clients.actions.ts'
import { billingNow } from '../invoices/invoices.actions.ts'
import { billCompany } from '../invoices/invoices.billing.actions.ts'
import {
  announceReadjustment,
  chargeOnce,
  giveDiscount,
  shownPricing,
  stopDiscount,
  withdrawReadjustment,
} from './pricing.actions.ts'
import {
  closeCoupon,
  findCoupon,
  insertCoupon,
  listCoupons,
  offeredCoupon,
} from './pricing.coupons.queries.ts'

const change = async (scope: Scope, scopes: Scopes, companyId: number, work: (tx: Tx) => Promise<void>) => {
  const there = await reachClient(scope, scopes, companyId)
  return there.transaction(async tx => {
    await work(tx)
    return shownPricing(tx)
  })
}

export const routes = [
  serve(pricing.show, async (scope, { params }, { platform: { scopes } }) =>
    (await reachClient(scope, scopes, params.companyId)).read(shownPricing),
  ),
  serve(pricing.charge, async (scope, { params, body }, { platform: { scopes, config } }) => {
    const there = await reachClient(scope, scopes, params.companyId)
    const writing = await billingNow({ scopes, config })
    return there.transaction(tx => chargeOnce(tx, writing, body))
  }),
  serve(pricing.discount, (scope, { params, body }, { platform: { scopes } }) =>
    change(scope, scopes, params.companyId, tx => giveDiscount(tx, body, viewerOf(scope).name)),
  ),
  serve(pricing.endDiscount, (scope, { params }, { platform: { scopes } }) =>
    change(scope, scopes, params.companyId, tx => stopDiscount(tx, params.discountId)),
  ),
  serve(
    pricing.readjust,
    async (scope, { params: { companyId }, body }, { platform: { scopes, config } }) => {
      const [writing, by] = [await billingNow({ scopes, config }), viewerOf(scope).name]
      const shown = await change(scope, scopes, companyId, tx => announceReadjustment(tx, writing, body, by))
      await billCompany(scopes.platform().inCompany(companyId), writing)
      return shown
    },
  ),
  serve(pricing.withdraw, async (scope, { params: { companyId } }, { platform: { scopes, config } }) => {
    const writing = await billingNow({ scopes, config })
    const shown = await change(scope, scopes, companyId, tx => withdrawReadjustment(tx, writing))
    await billCompany(scopes.platform().inCompany(companyId), writing)
    return shown
  }),
  serve(pricing.coupons, (_scope, _input, { platform: { scopes, config } }) =>
    scopes.platform().transaction(sql => listCoupons(sql, config.tzDefault)),
  ),
  serve(pricing.addCoupon, async (scope, { body }, { platform: { scopes, config } }) => {
    const { valueBrl, ...given } = body
    const values = {
      ...{ ...given, code: couponCodeOf(given.code), value: valueBrl === null ? null : parseBrl(valueBrl) },
      recordedBy: viewerOf(scope).name,
    }
    return scopes
      .platform()
      .transaction(async sql => findCoupon(sql, await insertCoupon(sql, values), config.tzDefault))
      .catch((error: unknown) => {
        if (isUniqueViolation(error, 'coupons_code')) return refuse('ERR_NAME_EXISTS', { field: 'code' })
        throw error
      })
  }),
  serve(pricing.closeCoupon, (_scope, { params: { couponId } }, { platform: { scopes, config } }) =>
    scopes.platform().transaction(async sql => {
      await findCoupon(sql, couponId, config.tzDefault)
      await closeCoupon(sql, couponId)
      return findCoupon(sql, couponId, config.tzDefault)
    }),
  ),
  serveOpen(pricing.offered, (_scope, { params }, { platform: { scopes, config } }) =>
    scopes.platform().transaction(async sql => {
      const { code, percent, value, valueBrl, periods } = await offeredCoupon(
        sql,
        params.code,
        config.tzDefault,
      )
      return { code, percent, value, valueBrl, periods }
    }),
  ),
]
