import { documentProblem, plainDocument } from '@balcao/contract/companies.rules.ts'
import { cut } from '@balcao/contract/cut.rules.ts'
import { findCnpj } from './companies.lookups.ts'
import { shownPostalCode } from './companies.values.ts'

/** The part of a form that has a document number and the registered data. */
interface CnpjForm {
  isDirty(field: 'documentNumber'): boolean
  getValues(): { documentNumber: string; name: string }
  setValues(values: Record<string, string>): void
}

/** Fills in the registered data of a CNPJ; without any the form stays as it is, silently. */
export async function fillByCnpj(form: CnpjForm, written: string): Promise<void> {
  const cnpj = plainDocument(written)
  if (cnpj.length !== 14 || documentProblem(cnpj) !== null || !form.isDirty('documentNumber')) return
  const found = await findCnpj(cnpj).catch(() => null)
  // another one was written meanwhile
  if (!found || plainDocument(form.getValues().documentNumber) !== cnpj) return
  const registered = {
    companyName: found.nome,
    name: form.getValues().name || cut(found.fantasia || found.nome, 50),
    cep: shownPostalCode(found.cep),
    street: found.logradouro,
    numberAddress: found.numero,
    complement: found.complemento,
    district: found.bairro,
    city: found.municipio,
    state: found.uf,
    country: 'Brasil',
  }
  form.setValues(Object.fromEntries(Object.entries(registered).filter(([, value]) => value !== '')))
}
