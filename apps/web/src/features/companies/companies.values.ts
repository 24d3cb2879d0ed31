import { shownDocument } from '@balcao/contract/companies.rules.ts'
import type { OwnCompany } from '@balcao/contract/companies.ts'

/** The company as its form has it. */
export const valuesOf = (company: OwnCompany) => ({
  name: company.companyName,
  slogan: company.slogan,
  documentNumber: shownDocument(company.documentNumber),
  cep: shownPostalCode(company.cep),
  street: company.street,
  numberAddress: company.numberAddress,
  complement: company.complement,
  district: company.district,
  city: company.city,
  state: company.state,
  country: company.country,
})

/** A postal code as people write it. */
export const shownPostalCode = (cep: string) => cep.replace(/^(\d{5})(\d{3})$/, '$1-$2')
