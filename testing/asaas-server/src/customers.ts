import { dayOf } from './days.ts'
import { isDocument } from './documents.ts'
import { refusals } from './refusals.ts'
import { CustomerAsked, CustomerChange, fitting } from './shapes.ts'
import type { Customer, State } from './state.ts'

/** Asaas accepts duplicate customers: clients search first. */
export function createCustomer({ customers, now }: State, body: unknown): Customer {
  const asked = fitting(CustomerAsked, body)
  const customer: Customer = {
    ...{
      object: 'customer',
      id: `cus_${String(customers.length + 1).padStart(12, '0')}`,
      dateCreated: dayOf(now()),
    },
    ...{ name: asked.name, email: asked.email ?? null, ...documentOf(asked.cpfCnpj) },
    externalReference: asked.externalReference ?? null,
    notificationDisabled: asked.notificationDisabled ?? false,
    deleted: false,
  }
  customers.push(customer)
  return customer
}

export function updateCustomer({ customers }: State, id: string, body: unknown): Customer {
  const customer = customers.find(one => one.id === id && !one.deleted)
  if (!customer) throw refusals.notFound('Cliente')
  const { cpfCnpj, ...rest } = fitting(CustomerChange, body)
  return Object.assign(customer, rest, cpfCnpj === undefined ? {} : documentOf(cpfCnpj))
}

/** Refuses what is no CPF or CNPJ. */
function documentOf(written: string): Pick<Customer, 'cpfCnpj' | 'personType'> {
  const cpfCnpj = written.replace(/[^0-9a-z]/gi, '').toUpperCase()
  if (!isDocument(cpfCnpj)) throw refusals.wrongDocument()
  return { cpfCnpj, personType: cpfCnpj.length === 11 ? 'FISICA' : 'JURIDICA' }
}
