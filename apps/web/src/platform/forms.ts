import { type UseFormInput, type UseFormReturnType, useForm } from '@mantine/form'
import type { z } from 'zod'
import { ApiError } from './call.ts'
import { errorText } from './errors.text.ts'
import { texts } from './text.ts'

const t = texts({
  required: ['Obrigatório', 'Required', 'Obligatorio'],
  scientific: [
    'Número em notação científica: escreva todos os dígitos (na planilha, formate a coluna como texto)',
    'Number in scientific notation: write all its digits (in the spreadsheet, format the column as text)',
    'Número en notación científica: escriba todos los dígitos (en la planilla, dé a la columna formato de texto)',
  ],
  zeros: ['Só zeros não são um número', 'Zeros alone are no number', 'Solo ceros no son un número'],
  fullNumber: [
    'Código do país, DDD e número: 12 ou 13 dígitos',
    'Country code, area code and number: 12 or 13 digits',
    'Código de país, de área y número: 12 o 13 dígitos',
  ],
  tooShort: ['Mensagem muito curta', 'Message too short', 'Mensaje muy corto'],
})

/** A form that validates with the server's own schema and shows its refusal at the field it names. */
export function useSchemaForm<Values extends Record<string, unknown>>(
  schema: z.ZodType,
  input: UseFormInput<Values>,
): UseFormReturnType<Values> & { refused(error: unknown): boolean } {
  const form = useForm<Values>({
    ...input,
    validate: values => {
      const result = schema.safeParse(values)
      if (result.success) return {}
      // an empty field breaks several rules: the first one names what is missing
      const issues = result.error.issues.toReversed()
      return Object.fromEntries(issues.map(issue => [issue.path.join('.'), inWords(issue.message)]))
    },
  })
  return {
    ...form,
    /** A field is judged when it is left; one that is still empty not before the form is sent. */
    getInputProps(path, options) {
      const props = form.getInputProps(path, options)
      const judge = () => void (form.getValues()[path as string] && form.validateField(path))
      return { ...props, onBlur: judge }
    },
    refused(error) {
      if (!(error instanceof ApiError) || !error.field || !(error.field in input.initialValues!)) return false
      form.setFieldError(error.field as never, errorText(error))
      return true
    },
  }
}

/** Lengths are said as the documents say them; what is missing is said in the reader's language. */
export const inWords = (message: string) => {
  const key = said[message]
  return key ? t.read(key) : message
}
const said: Record<string, 'required' | 'tooShort' | 'scientific' | 'zeros' | 'fullNumber'> = {
  'Código do país, DDD e número: 12 ou 13 dígitos': 'fullNumber',
  'In scientific notation': 'scientific',
  'Only zeros': 'zeros',
  Required: 'required',
  'Mensagem muito curta': 'tooShort',
}
