import { eq } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { companies } from './companies.table.ts'

/** The company of this transaction as the customer of a payment provider, by a name that no other installation has. */
export async function customerAtProvider(tx: Tx, installation: string) {
  const { name, documentNumber, email, cep, street, numberAddress, district, city, state } = companies
  const [company] = await tx.sql
    .select({
      ...{ name, document: documentNumber, email },
      address: { ...{ cep, street, number: numberAddress, district, city, state } },
    })
    .from(companies)
    .where(eq(companies.id, tx.companyId))
  return { reference: `${installation}:${tx.companyId}`, ...company! }
}
