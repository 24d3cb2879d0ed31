import { invoices } from '@balcao/contract/invoices.ts'
import { may } from '@balcao/contract/permissions.rules.ts'
import { refuse } from '../../platform/errors.ts'
import { serve } from '../../platform/http/routes.ts'
import { viewerOf } from '../../platform/scope.ts'
import { payeeOf } from '../invoices/invoices.actions.ts'
import { companyOfInvoice, lockInvoice, shownInvoice } from '../invoices/invoices.queries.ts'
import { askAgain } from './charges.actions.ts'

export const askRoute = serve(invoices.ask, async (scope, { params }, { platform: { scopes, config } }) => {
  const { invoiceId } = params
  const companyId = await scopes.platform().transaction(sql => companyOfInvoice(sql, invoiceId))
  if (!may(viewerOf(scope), 'master') && companyId !== scope.companyId) refuse('ERR_NOT_FOUND')
  const payee = await payeeOf({ scopes, config })
  return scopes.inCompany(companyId).transaction(async tx => {
    await askAgain(tx, payee, invoiceId)
    return shownInvoice(await lockInvoice(tx, invoiceId), payee)
  })
})
