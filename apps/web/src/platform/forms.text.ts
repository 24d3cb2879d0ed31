import type { z } from 'zod'
import { texts } from './text.ts'

const t = texts({
  required: ['Obrigatório', 'Required', 'Obligatorio'],
  scientific: [
    'Número em notação científica: escreva todos os dígitos (na planilha, formate a coluna como texto)',
    'Number in scientific notation: write all its digits (in the spreadsheet, format the column as text)',
    'Número en notación científica: escriba todos los dígitos (en la planilla, dé a la columna formato de texto)',
  ],
  severalNumbers: [
    'Mais de um número: escreva só um',
    'More than one number: write only one',
    'Más de un número: escriba solo uno',
  ],
  areaCode: [
    'Falta o DDD, como em (11) 98765-4321',
    'The area code is missing, as in (11) 98765-4321',
    'Falta el código de área, como en (11) 98765-4321',
  ],
  zeros: ['Só zeros não são um número', 'Zeros alone are no number', 'Solo ceros no son un número'],
  fullNumber: [
    'Digite o número com DDD; de outro país, com + e o código',
    'Type the number with its area code; from another country, with + and its code',
    'Escriba el número con código de área; de otro país, con + y el código',
  ],
  amount: ['Valor como 1.234,50', 'An amount such as 1.234,50', 'Un valor como 1.234,50'],
  endsFirst: [
    'O fim vem depois do início',
    'The end comes after the beginning',
    'El fin viene después del inicio',
  ],
  dueFar: [
    'O vencimento fica a no máximo um ano do início',
    'It is due within a year of the beginning',
    'El vencimiento queda a un año del inicio como máximo',
  ],
  daysAway: ['De 0 a 10', 'From 0 to 10', 'De 0 a 10'],
  digitsOnly: [
    'Somente números, com o código do país',
    'Digits only, with the country code',
    'Solo números, con el código del país',
  ],
  tooShort: ['Mensagem muito curta', 'Message too short', 'Mensaje muy corto'],
})

/** What is wrong with the values of a form, by the path of each field. */
export function wrongIn(shape: z.ZodType, values: unknown): Record<string, string> {
  const result = shape.safeParse(values)
  if (result.success) return {}
  // an empty field violates several rules: the first one names what is missing
  const issues = result.error.issues.toReversed()
  return Object.fromEntries(issues.map(issue => [issue.path.join('.'), inWords(issue.message)]))
}

/** Lengths are worded as in the documents; a missing value in the reader's language. */
export const inWords = (message: string) => {
  const key = keys[message]
  return key ? t.read(key) : message
}
const keys: Record<string, Parameters<typeof t.read>[0]> = {
  'Valor como 1.234,50': 'amount',
  'O fim vem depois do início': 'endsFirst',
  'O vencimento fica a no máximo um ano do início': 'dueFar',
  'Digite o número com DDD; de outro país, com + e o código': 'fullNumber',
  '0 a 10': 'daysAway',
  'Somente números, com o código do país': 'digitsOnly',
  'In scientific notation': 'scientific',
  'Only zeros': 'zeros',
  'More than one number': 'severalNumbers',
  'Without area code': 'areaCode',
  Required: 'required',
  'Mensagem muito curta': 'tooShort',
}
