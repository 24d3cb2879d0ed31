import { firstName } from '@balcao/contract/campaigns.words.rules.ts'

/** What a person fills of the texts, besides the clock: the columns of his row, and what everybody has. */
export const valuesOf = (name: string, number: string, row: Record<string, string>) => ({
  ...row,
  nome: name,
  name,
  cliente: name,
  primeiroNome: firstName(name),
  numero: number,
  number,
})
