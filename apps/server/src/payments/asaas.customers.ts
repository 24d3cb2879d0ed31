import { plainDocument } from '@balcao/contract/companies.rules.ts'
import type { AsaasCall } from './asaas.calls.ts'
import { AsaasCustomer, listOf } from './asaas.shapes.ts'
import type { Charge } from './payments.ts'

/** Asaas' id of the customer, who is made where there is none, and corrected where something about him changed. */
export async function asaasCustomer(call: AsaasCall, customer: Charge['customer']): Promise<string> {
  const { reference, name, document, email } = customer
  const wanted = { name, cpfCnpj: plainDocument(document), ...(email && { email }) }
  const { data } = await call(listOf(AsaasCustomer), 'GET', `/customers?${byReference(reference)}`)
  const known = data.find(one => hasReference(reference, one))
  if (!known) {
    // the product notifies of its invoices itself
    const body = { ...wanted, externalReference: reference, notificationDisabled: true }
    return (await call(AsaasCustomer, 'POST', '/customers', body)).id
  }
  const isSame = known.name === name && known.cpfCnpj === wanted.cpfCnpj && (known.email ?? '') === email
  if (!isSame) await call(AsaasCustomer, 'PUT', `/customers/${encodeURIComponent(known.id)}`, wanted)
  return known.id
}

export const byReference = (externalReference: string) =>
  new URLSearchParams({ externalReference, limit: '100' })

/** A filter that Asaas did not understand would list everybody's. */
export const hasReference = (
  reference: string,
  one: { externalReference?: string | null; deleted: boolean },
) => one.externalReference === reference && !one.deleted
