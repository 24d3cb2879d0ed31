import { eq } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { companies } from './companies.table.ts'

/** Who pays: the company of this transaction. */
export async function payerOf(tx: Tx) {
  const { name, documentNumber, email, cep, street, numberAddress, district, city, state } = companies
  const [company] = await tx.sql
    .select({
      ...{ name, document: documentNumber, email },
      address: { ...{ cep, street, number: numberAddress, district, city, state } },
    })
    .from(companies)
    .where(eq(companies.id, tx.companyId))
  return company!
}
