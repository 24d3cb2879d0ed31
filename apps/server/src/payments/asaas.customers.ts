import { plainDocument } from '@balcao/contract/companies.rules.ts'
import type { z } from 'zod'
import type { AsaasCall } from './asaas.calls.ts'
import { AsaasCustomer, listOf } from './asaas.shapes.ts'
import type { Charge } from './payments.ts'

/** Asaas' id of the customer, who is made where there is none, and corrected where something about him changed. */
export async function asaasCustomer(call: AsaasCall, customer: Charge['customer']): Promise<string> {
  const { reference, name, document, email } = customer
  const wanted = { name, cpfCnpj: plainDocument(document), ...(email && { email }) }
  const known = await knownCustomer(call, reference)
  if (!known) {
    // the product notifies of its invoices itself
    const body = { ...wanted, externalReference: reference, notificationDisabled: true }
    const made = await call(AsaasCustomer, 'POST', '/customers', body)
    return ((await knownCustomer(call, reference)) ?? made).id
  }
  const isSame = known.name === name && known.cpfCnpj === wanted.cpfCnpj && (known.email ?? '') === email
  if (!isSame) await call(AsaasCustomer, 'PUT', `/customers/${encodeURIComponent(known.id)}`, wanted)
  return known.id
}

/**
 * The oldest of a reference; undefined where there is none. Asaas makes the same customer twice, as where a charge and an authorization
 * are asked for at once: both are of the same one then. Asaas lists the newest first.
 */
async function knownCustomer(
  call: AsaasCall,
  reference: string,
): Promise<z.infer<typeof AsaasCustomer> | undefined> {
  const { data } = await call(listOf(AsaasCustomer), 'GET', `/customers?${byReference(reference)}`)
  return data.findLast(one => hasReference(reference, one))
}

export const byReference = (externalReference: string) =>
  new URLSearchParams({ externalReference, limit: '100' })

/** A filter that Asaas did not understand would list everybody's. */
export const hasReference = (
  reference: string,
  one: { externalReference?: string | null; deleted: boolean },
) => one.externalReference === reference && !one.deleted
