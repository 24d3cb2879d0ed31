import { companies } from '@balcao/contract/companies.ts'
import { call } from '../../platform/call.ts'

/** Throws ApiError. */
export const findPostalCode = (cep: string) => call(companies.findPostalCode, { params: { cep } })

/** Throws ApiError. */
export const findCnpj = (cnpj: string) => call(companies.findCnpj, { params: { cnpj } })
