import { type UseFormInput, type UseFormReturnType, useForm } from '@mantine/form'
import type { z } from 'zod'
import { ApiError } from './call.ts'
import { errorText } from './errors.text.ts'

/** A form that validates with the server's own schema and shows its refusal at the field it names. */
export function useSchemaForm<Values extends Record<string, unknown>>(
  schema: z.ZodType,
  input: UseFormInput<Values>,
): UseFormReturnType<Values> & { refused(error: unknown): boolean } {
  const form = useForm<Values>({
    ...input,
    validateInputOnBlur: true,
    validate: values => {
      const result = schema.safeParse(values)
      if (result.success) return {}
      // an empty field breaks several rules: the first one names what is missing
      const issues = result.error.issues.toReversed()
      return Object.fromEntries(issues.map(issue => [issue.path.join('.'), issue.message]))
    },
  })
  return {
    ...form,
    refused(error) {
      if (!(error instanceof ApiError) || !error.field || !(error.field in input.initialValues!)) return false
      form.setFieldError(error.field as never, errorText(error))
      return true
    },
  }
}
