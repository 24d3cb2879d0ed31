import { type UseFormInput, type UseFormReturnType, useForm } from '@mantine/form'
import type { z } from 'zod'
import { ApiError } from './call.ts'
import { errorText } from './errors.text.ts'
import { wrongIn } from './forms.text.ts'

/** A form that validates with the server's own schema and shows its refusal at the field it names. */
export function useSchemaForm<Values extends Record<string, unknown>>(
  schema: z.ZodType,
  input: UseFormInput<Values>,
): UseFormReturnType<Values> & { refused(error: unknown): boolean } {
  const form = useForm<Values>({
    ...input,
    validate: values => wrongIn(schema, values),
  })
  return {
    ...form,
    /** A field is validated on blur; an empty one not before the form is sent. */
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
