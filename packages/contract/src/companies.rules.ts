import { formatCnpj } from '@brazilian-utils/brazilian-utils/format-cnpj'
import { formatCpf } from '@brazilian-utils/brazilian-utils/format-cpf'
import { isValidCnpj } from '@brazilian-utils/brazilian-utils/is-valid-cnpj'
import { isValidCpf } from '@brazilian-utils/brazilian-utils/is-valid-cpf'
import { cut } from './cut.rules.ts'

const CPF = 11
const CNPJ = 14

/** Since July 2026 a CNPJ may contain letters; the library accepts them in version 2. */
const withLetters = { version: 2 } as const

/** A CPF or CNPJ without what is written between its characters. */
export const plainDocument = (written: string): string => written.replace(/[^0-9a-z]/gi, '').toUpperCase()

/** What is wrong with a document number, in the documents' words (core §5, OP-22); null where nothing is. None is fine. */
export function documentProblem(written: string): string | null {
  const plain = plainDocument(written)
  const isCnpj = plain.length > CPF || /[A-Z]/.test(plain)
  if (plain.length === 0) return null
  if (plain.length === CNPJ) return isValidCnpj(plain, withLetters) ? null : 'CNPJ invalido'
  if (isCnpj) return 'O CNPJ deve conter 14 dígitos'
  if (plain.length < CPF) return 'O cpf deve conter 11 dígitos ou o CNPJ deve conter 14 dígitos'
  return isValidCpf(plain) ? null : 'CPF invalido'
}

/** A sound number as people write it, `529.982.247-25`; any other without punctuation, as far as a CNPJ goes. */
export function shownDocument(written: string): string {
  const plain = cut(plainDocument(written), CNPJ)
  if (documentProblem(plain) !== null) return plain
  return plain.length === CPF ? formatCpf(plain) : plain && formatCnpj(plain, withLetters)
}
